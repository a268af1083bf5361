import Glibc

/// A client that sends exactly the bytes it is told to, and reads what comes.
package final class WireClient {
    private let descriptor: CInt
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - source: the last number of the loopback address that it comes from.
    ///   - timeout: in seconds; what takes longer fails the test. Long, because a busy machine is no failure.
    ///   - receiveBuffer: how much the system takes in for it before it reads.
    package init(
        port: UInt16, from source: UInt8 = 1, timeout: Int = 600, receiveBuffer: CInt? = nil
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw WireFailure("no socket: \(errno)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var atOnce: CInt = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &atOnce, 4)
        let descriptor = descriptor
        var failed: CInt = 0
        if source != 1 {
            failed = Self.with(address: source, port: 0) { bind(descriptor, $0, $1) }
        }
        if failed == 0 {
            failed = Self.with(address: 1, port: port) { connect(descriptor, $0, $1) }
        }
        guard failed == 0 else { throw WireFailure("no connection: \(errno)") }
    }

    private static func with(
        address number: UInt8, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(number)).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit {
        close(descriptor)
    }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw WireFailure("not sent: \(errno)") }
            sent += count
        }
    }

    /// Says that no more will come.
    package func finishSending() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Whether something is there to be read, or comes within that time.
    package func hasMore(withinMilliseconds time: CInt) -> Bool {
        if !unread.isEmpty { return true }
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, time) > 0
    }

    /// The next answer that is final, with its whole body.
    package func answer(toHead isHead: Bool = false) throws -> WireAnswer {
        var answer = try head()
        while answer.status < 200 { answer = try head() }
        if isHead || answer.status == 204 || answer.status == 304 { return answer }
        if let length = answer[header: "Content-Length"].flatMap({ Int($0) }) {
            answer.body = try read(length)
        } else if answer[header: "Transfer-Encoding"] == "chunked" {
            while let chunk = try chunk() { answer.body += chunk }
        } else {
            answer.body = try readToEnd()
        }
        return answer
    }

    /// The head alone, also of an answer that is not final.
    package func head() throws -> WireAnswer {
        let mark = Array("\r\n\r\n".utf8)
        var end = unread.firstRange(of: mark)
        while end == nil {
            guard try more() else {
                throw WireFailure("closed after \(unread.count) bytes of a head")
            }
            end = unread.firstRange(of: mark)
        }
        guard let end else { throw WireFailure("no head") }
        let text = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        unread.removeFirst(end.upperBound)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw WireFailure("no status line: \(lines[0])")
        }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: parts[0].lowercased(),
                value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            )
        }
        return WireAnswer(status: status, fields: fields)
    }

    /// The next chunk of a chunked body; nil after the last.
    package func chunk() throws -> [UInt8]? {
        let line = try readLine()
        guard let size = Int(line, radix: 16) else { throw WireFailure("no chunk: \(line)") }
        let bytes = try read(size)
        guard try readLine().isEmpty else { throw WireFailure("no end of a chunk") }
        return size == 0 ? nil : bytes
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            guard try more() else {
                throw WireFailure("closed after \(unread.count) of \(count) bytes")
            }
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    package func readToEnd() throws -> [UInt8] {
        while try more() {}
        defer { unread = [] }
        return unread
    }

    /// Whether the server closes the connection, and says nothing before.
    package func isClosed() throws -> Bool {
        try unread.isEmpty && !more()
    }

    private func readLine() throws -> String {
        while true {
            if let end = unread.firstRange(of: [13, 10]) {
                let line = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
                unread.removeFirst(end.upperBound)
                return line
            }
            guard try more() else { throw WireFailure("closed within a line") }
        }
    }

    /// False at the end, in whichever way the connection ended.
    private func more() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            unread += buffer[..<count]
            return true
        }
        guard count == 0 || errno == ECONNRESET || errno == EPIPE else {
            throw WireFailure("waited too long, or: \(errno)")
        }
        return false
    }
}
