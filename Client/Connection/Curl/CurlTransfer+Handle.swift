import CCurl
import Glibc

// What curl is told about a transfer, and how it calls back.
extension CurlTransfer {
    private static let bufferBytes = 256 << 10
    /// What may wait in the kernel to be sent. More would be lost time when a transfer is given up.
    private static let unsentBytes: CInt = 256 << 10

    /// - Parameter isFresh: whether it gets a connection of its own, rather than one that was there before.
    /// - Returns: why the request cannot be sent, if so.
    func prepare(_ server: ServerEndpoint, agent: String, isFresh: Bool) -> TransportError? {
        guard let handle else { return .cancelled }
        // A line break would begin a header of somebody's choosing.
        let isClean = request.headers.allSatisfy { header in
            header.name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }
                && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        guard isClean else { return .notSendable("a header holds control characters") }
        guard request.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .notSendable("the address holds characters that must be encoded")
        }
        basket_curl_set_string(handle, CURLOPT_URL, server.url + request.target)
        basket_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
        basket_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
        basket_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // Whoever looks for a name in vain is not waited for at the end of all: the thread is needed by others.
        basket_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        basket_curl_set_long(handle, CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        basket_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        basket_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        basket_curl_set_string(handle, CURLOPT_USERAGENT, agent)
        basket_curl_set_long(
            handle, CURLOPT_CONNECTTIMEOUT_MS,
            Int(request.timeouts.connect.nanoseconds / 1_000_000))
        basket_curl_set_long(handle, CURLOPT_BUFFERSIZE, Self.bufferBytes)
        basket_curl_set_long(handle, CURLOPT_UPLOAD_BUFFERSIZE, Self.bufferBytes)
        basket_curl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        basket_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if request.takesCompressed {
            basket_curl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "gzip")
        }
        if let path = server.unixSocket {
            basket_curl_set_string(handle, CURLOPT_UNIX_SOCKET_PATH, path)
        }
        // What may go in the clear because it stays on this machine goes through no proxy.
        if server.isLocal { basket_curl_set_string(handle, CURLOPT_PROXY, "") }
        prepareSecurity(server)
        prepareRequest()
        prepareCallbacks()
        return nil
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func prepareSecurity(_ server: ServerEndpoint) {
        guard server.isSecure, let loop else {
            basket_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            return
        }
        basket_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Requests that come together wait to learn whether one connection does for all of them.
        basket_curl_set_long(handle, CURLOPT_PIPEWAIT, 1)
        basket_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if case .certificate = server.trust {
            // The certificate's names and signers mean nothing here; our own check means everything.
            basket_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 0)
            basket_curl_set_string(handle, CURLOPT_CAINFO, nil)
            basket_curl_set_string(handle, CURLOPT_CAPATH, nil)
        }
        basket_curl_set_pointer(handle, CURLOPT_SSL_CTX_DATA, loop.certificate.trust)
        basket_curl_set_tls(handle, judgeCertificate)
    }

    private func prepareRequest() {
        let takesBody = ["POST", "PUT", "PATCH"].contains(request.method)
        if !request.body.isNone || takesBody {
            basket_curl_set_long(handle, CURLOPT_UPLOAD, 1)
            basket_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.length))
        } else if request.method == "HEAD" {
            basket_curl_set_long(handle, CURLOPT_NOBODY, 1)
        }
        basket_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
        for header in request.headers {
            headerList = curl_slist_append(headerList, "\(header.name): \(header.value)")
        }
        if !request.asksBeforeSending { headerList = curl_slist_append(headerList, "Expect:") }
        basket_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList)
    }

    private func prepareCallbacks() {
        basket_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        basket_curl_set_bytes(handle, CURLOPT_WRITEFUNCTION, receiveBody)
        basket_curl_set_pointer(handle, CURLOPT_READDATA, context)
        basket_curl_set_bytes(handle, CURLOPT_READFUNCTION, sendBody)
        basket_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        basket_curl_set_bytes(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
        basket_curl_set_pointer(handle, CURLOPT_SEEKDATA, context)
        basket_curl_set_seek(handle, seekBody)
        basket_curl_set_pointer(handle, CURLOPT_PREREQDATA, context)
        basket_curl_set_begin(handle, beginRequest)
        basket_curl_set_pointer(handle, CURLOPT_SOCKOPTDATA, context)
        basket_curl_set_socket(handle) { context, socket, _ in
            CurlTransfer.of(context)?.loop?.sockets.add(socket)
            var most = CurlTransfer.unsentBytes
            var deadAfter = CInt(CurlLoop.deadAfter / 1_000_000)
            // On a socket without TCP they fail, and nothing is lost.
            setsockopt(
                socket, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &most, socklen_t(4))
            setsockopt(
                socket, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &deadAfter, socklen_t(4))
            return CURL_SOCKOPT_OK
        }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What curl calls

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let loop else { return 0 }
        guard loop.receiving.isOpen else {
            isReceivePaused = true
            loop.throttle(self)
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        guard mailbox.receive(bytes) else {
            isReceivePaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        loop.receiving.take(bytes.count)
        lastProgress = CurlLoop.now
        return bytes.count
    }

    fileprivate func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let loop else { return Int(CURL_READFUNC_ABORT) }
        guard mailbox.hasSentAll || loop.maySend(self) else {
            isSendPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
        lastProgress = CurlLoop.now
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(loop.sending.mostAtOnce))
        switch mailbox.send(into: part) {
        case .bytes(let count):
            hasTurn = false
            loop.sending.take(count)
            return count
        case .end: return 0
        case .later:
            isSendPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
    }

    fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
        lastProgress = CurlLoop.now
        switch head.take(line) {
        case .goesOn: return line.count
        case .complete(let response):
            phase = .receiving
            self.response = response
            mailbox.begin(response)
            return line.count
        case .tooLong:
            verdict = .notUnderstood("the answer's head is longer than \(Self.longestHead) bytes")
            return 0
        case .notUnderstood:
            verdict = .notUnderstood("the answer begins with no status")
            return 0
        }
    }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    CurlTransfer.of(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ?? 0
}

private func sendBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    CurlTransfer.of(context)?.send(
        into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    CurlTransfer.of(context)?.receiveHead(
        UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private func seekBody(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: CInt
) -> CInt {
    guard origin == SEEK_SET, let transfer = CurlTransfer.of(context),
        transfer.mailbox.rewind(to: Int64(offset))
    else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
}

private func beginRequest(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?, _ remotePort: CInt, _ localPort: CInt
) -> CInt {
    guard let transfer = CurlTransfer.of(context) else { return CURL_PREREQFUNC_ABORT }
    transfer.localPort = localPort
    transfer.phase = .sending
    transfer.lastProgress = CurlLoop.now
    return CURL_PREREQFUNC_OK
}

private func judgeCertificate(
    _ handle: UnsafeMutableRawPointer?, _ tls: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let tls, let context else { return CURLE_SSL_CONNECT_ERROR }
    CertificateCheck.install(in: tls, context)
    return CURLE_OK
}
