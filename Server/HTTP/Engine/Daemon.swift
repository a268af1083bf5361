import CMicroHTTPD
import Glibc

/// libmicrohttpd's threads, which bring what their connections receive to the engine.
///
/// Unchecked: the pointer is used to add connections and, when nobody adds any more, to stop;
/// libmicrohttpd allows both from any thread but its own.
final class Daemon: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let engine: Unmanaged<Engine>

    init(_ engine: Engine) throws(HTTPServerError) {
        let context = Unmanaged.passRetained(engine)
        guard let pointer = Self.start(engine.configuration, context.toOpaque()) else {
            context.release()
            throw .refusedByLibrary
        }
        self.engine = context
        self.pointer = pointer
    }

    /// Serves a connection from now on. False if it was closed instead.
    func add(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Bool {
        MHD_add_connection(pointer, descriptor, address, size) == .YES
    }

    /// Closes every connection and ends the threads. Blocks meanwhile; no connection may be suspended.
    func stop() {
        MHD_stop_daemon(pointer)
        engine.release()
    }

    private static func start(
        _ configuration: HTTPServerConfiguration, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let limits = configuration.limits
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_NO_LISTEN_SOCKET.rawValue
        var options = DaemonOptions()
        if configuration.workers > 1 {
            options.add(.THREAD_POOL_SIZE, configuration.workers)
        }
        // The acceptor counts; libmicrohttpd deals its own limit out to the workers, who do not get
        // exactly the same number of connections.
        options.add(.CONNECTION_LIMIT, limits.connections * configuration.workers)
        options.add(.CONNECTION_TIMEOUT, Int(limits.idleTime.components.seconds))
        options.add(.CONNECTION_MEMORY_LIMIT, limits.connectionMemory)
        options.add(.CONNECTION_MEMORY_INCREMENT, limits.connectionMemory / 2)
        options.add(
            .NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), context)
        options.add(
            .NOTIFY_CONNECTION, unsafeBitCast(connectionChanged, to: Int.self), context)
        options.add(.URI_LOG_CALLBACK, unsafeBitCast(targetArrived, to: Int.self), context)
        options.add(.UNESCAPE_CALLBACK, unsafeBitCast(keepEscapes, to: Int.self), nil)
        if configuration.tls != nil {
            flags |= MHD_USE_TLS.rawValue
            options.add(
                .HTTPS_CERT_CALLBACK2, 0,
                unsafeBitCast(credentials, to: UnsafeMutableRawPointer.self))
            options.add(.HTTPS_PRIORITIES, text: Array(TLSIdentity.priorities.utf8))
        } else {
            // Spares some system calls at a connection's ends. Over TLS it would also spare the
            // closing message, without which a client cannot tell an end from a cut.
            flags |= MHD_USE_TURBO.rawValue
        }
        return options.withArray { array in
            basket_mhd_start(flags, nil, nil, accessed, context, array)
        }
    }
}

// What libmicrohttpd calls. Each finds its object through the pointer that it was given, and hands on.

private let connectionChanged: MHD_NotifyConnectionCallback = { context, mhd, slot, event in
    guard let context, let mhd, let slot else { return }
    let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        slot.pointee = Unmanaged.passRetained(engine.opened(mhd)).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
        guard let opaque = slot.pointee else { return }
        slot.pointee = nil
        engine.closed(Unmanaged<Connection>.fromOpaque(opaque).takeRetainedValue(), mhd)
    default: break
    }
}

/// Called with the first line, before libmicrohttpd takes the target apart in place.
private let targetArrived:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, mhd in
        guard let mhd, let opaque = basket_mhd_socket_context(mhd) else { return nil }
        let connection = Unmanaged<Connection>.fromOpaque(opaque).takeUnretainedValue()
        let exchange = Exchange(connection, target: target)
        connection.arrives(exchange)
        connection.engine.beganHead(of: exchange)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

/// We decode targets ourselves: libmicrohttpd would decode before it splits.
private let keepEscapes:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
    ) -> Int = { _, _, text in
        guard let text else { return 0 }
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }

private let accessed: MHD_AccessHandlerCallback = {
    _, mhd, _, method, version, upload, uploadSize, slot in
    guard let mhd, let method, let version, let uploadSize, let opaque = slot?.pointee else {
        return .NO
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(opaque).takeUnretainedValue()
    let bytes =
        uploadSize.pointee > 0
        ? UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee) : nil
    let (result, taken) = exchange.access(
        MHDConnection(pointer: mhd), method: method, version: version, upload: bytes)
    uploadSize.pointee -= taken
    return result
}

private let completed: MHD_RequestCompletedCallback = { _, mhd, slot, code in
    guard let opaque = slot?.pointee else { return }
    slot?.pointee = nil
    let status = mhd.map(basket_mhd_status) ?? 0
    Unmanaged<Exchange>.fromOpaque(opaque).takeRetainedValue()
        .complete(code, status: status > 0 ? Int(status) : nil)
}

/// Asked with each handshake, so that a certificate can be replaced while the server runs.
private let credentials:
    @convention(c) (
        gnutls_session_t?, UnsafePointer<gnutls_cert_retr_st>?,
        UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?,
        UnsafeMutablePointer<UInt32>?,
        UnsafeMutablePointer<UnsafeMutablePointer<gnutls_ocsp_data_st>?>?,
        UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<gnutls_privkey_t?>?,
        UnsafeMutablePointer<UInt32>?
    ) -> CInt = { session, _, certificates, count, _, responseCount, key, flags in
        // libmicrohttpd keeps its connection in the session.
        guard let session, let mhd = gnutls_session_get_ptr(session),
            let opaque = basket_mhd_socket_context(OpaquePointer(mhd)),
            let current = Unmanaged<Connection>.fromOpaque(opaque).takeUnretainedValue()
                .engine.credentials
        else { return -1 }
        current.fill(certificates, count, key)
        responseCount?.pointee = 0
        flags?.pointee = 0  // It stays ours.
        return 0
    }
