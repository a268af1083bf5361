import BasketHTTP
import Glibc

/// A client that sends exactly the bytes it is told to, and reads what comes.
final class RawClient {
    private let descriptor: CInt
    private var unread: [UInt8] = []

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter timeout: in seconds; what takes longer fails the test.
    init(port: UInt16, timeout: Int = 40, receiveBuffer: CInt? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket: \(errno)") }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let failed = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failed == 0 else { throw Failure(description: "no connection: \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + sent, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "not sent: \(errno)") }
            sent += count
        }
    }

    /// Says that no more will come.
    func finishSending() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// The next answer, with its whole body.
    func answer(toHead isHead: Bool = false) throws -> RawAnswer {
        let head = try readHead()
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure(description: "no status line: \(lines[0])")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        var answer = RawAnswer(status: status, headers: headers, body: [])
        if isHead || status == 204 || status == 304 || status < 200 { return answer }
        if let length = headers["Content-Length"].flatMap({ Int($0) }) {
            answer.body = try read(length)
        } else if headers["Transfer-Encoding"] == "chunked" {
            while let chunk = try chunk() { answer.body += chunk }
        } else {
            answer.body = try readToEnd()
        }
        return answer
    }

    /// The head alone, of an answer whose body is looked at piece by piece.
    func readHead() throws -> String {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            if let end = unread.firstRange(of: mark) {
                let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
                unread.removeFirst(end.upperBound)
                return head
            }
            guard try more() else {
                throw Failure(description: "closed after \(unread.count) bytes of a head")
            }
        }
    }

    /// The next chunk of a chunked body; nil after the last.
    func chunk() throws -> [UInt8]? {
        let line = try readLine()
        guard let size = Int(line, radix: 16) else {
            throw Failure(description: "no chunk: \(line)")
        }
        let bytes = try read(size)
        guard try readLine().isEmpty else { throw Failure(description: "no end of a chunk") }
        return size == 0 ? nil : bytes
    }

    func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            guard try more() else {
                throw Failure(description: "closed after \(unread.count) of \(count) bytes")
            }
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    func readToEnd() throws -> [UInt8] {
        while try more() {}
        defer { unread = [] }
        return unread
    }

    /// Whether the server closed the connection, and said nothing before.
    func isClosed() throws -> Bool {
        try unread.isEmpty && !more()
    }

    private func readLine() throws -> String {
        while true {
            if let end = unread.firstRange(of: [13, 10]) {
                let line = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
                unread.removeFirst(end.upperBound)
                return line
            }
            guard try more() else { throw Failure(description: "closed within a line") }
        }
    }

    /// False at the end, in whichever way the connection ended.
    private func more() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            unread += buffer[..<count]
            return true
        }
        guard count == 0 || errno == ECONNRESET else {
            throw Failure(description: "waited too long, or: \(errno)")
        }
        return false
    }
}

/// An answer as it came.
struct RawAnswer {
    let status: Int
    let headers: HTTPHeaders
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}
