import Glibc

/// Reads lines from a socket.
struct LineReader {
    private static let portion = 64 << 10

    private let raw: Int32
    private let longest: Int
    private var buffer: [UInt8] = []
    /// What of it was looked through.
    private var seen = 0
    private var isEnded = false

    init(_ raw: Int32, longest: Int) {
        self.raw = raw
        self.longest = longest
    }

    /// The next line, without its end; nil where no whole one comes any more. One that is too long comes as far as it
    /// was read, and is the last.
    mutating func next() -> [UInt8]? {
        while !isEnded {
            if let end = buffer[seen...].firstIndex(of: 0x0A) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                seen = 0
                return line
            }
            seen = buffer.count
            if buffer.count > longest {
                isEnded = true
                return buffer
            }
            var portion = [UInt8](repeating: 0, count: Self.portion)
            let count = recv(raw, &portion, portion.count, 0)
            if count > 0 {
                buffer += portion[..<count]
            } else if count == 0 || errno != EINTR {
                isEnded = true
            }
        }
        return nil
    }
}
