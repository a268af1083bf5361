import Glibc

/// One connection of a `RawServer`. Closed with the value.
package final class RawConnection {
    private let descriptor: CInt
    private var unread: [UInt8] = []

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // Only what hangs takes so long.
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    deinit {
        close(descriptor)
    }

    /// The next request's head, with its empty line; nil when the client is gone.
    package func head() throws -> String? {
        while true {
            if let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: unread[..<end.upperBound], as: UTF8.self)
                unread.removeFirst(end.upperBound)
                return head
            }
            guard try more() else { return nil }
        }
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            guard try more() else { throw WireFailure("closed after \(unread.count) bytes") }
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
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

    /// Has the kernel take hardly more than is read: the client sees a slow line.
    package func takeLittle() {
        var size: CInt = 16 << 10
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
    }

    /// Returns when the client has closed the connection.
    package func waitForClose() throws {
        while try more() { unread = [] }
    }

    /// Closes so that the client sees a reset instead of an end.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private func more() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { unread += buffer[..<count] }
        guard count >= 0 || errno == ECONNRESET else {
            throw WireFailure("waited too long, or: \(errno)")
        }
        return count > 0
    }
}
