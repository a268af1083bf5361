/// Reads a `text/event-stream` as it comes, in pieces of any size.
package struct EventStreamParser {
    /// One event of the stream.
    package struct Event: Sendable, Equatable {
        package var name: String
        package var data: String

        package init(name: String, data: String) {
            self.name = name
            self.data = data
        }
    }

    /// A server of ours sends a few hundred bytes; what is much longer has no end.
    package static let longestLine = 64 << 10
    package static let longestData = 1 << 20
    /// A longer identifier, or one that no header can hold, is not kept.
    package static let longestID = 4 << 10

    package enum Failure: Error {
        case lineTooLong
        case dataTooLong
    }

    /// The newest event's identifier, to be sent back as `Last-Event-ID`.
    package private(set) var lastID: String?
    /// How long the server would like clients to wait before they come back.
    package private(set) var retryMilliseconds: Int64?
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var isFirstLine = true
    private var name = ""
    private var data: [String] = []
    private var dataLength = 0
    private var pendingID: String?

    /// - Parameter lastID: of the connection before.
    package init(lastID: String? = nil) {
        self.lastID = lastID
        pendingID = lastID
    }

    /// The events that end in these bytes.
    package mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where endedWithReturn:
                endedWithReturn = false  // CR and LF together end one line.
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                endedWithReturn = byte == UInt8(ascii: "\r")
                if let event = try endLine() { events.append(event) }
            default:
                endedWithReturn = false
                guard line.count < Self.longestLine else { throw .lineTooLong }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() throws(Failure) -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = text
        case "data":
            dataLength += value.count + 1
            guard dataLength <= Self.longestData else { throw .dataTooLong }
            data.append(text)
        case "id":
            if value.count <= Self.longestID, value.allSatisfy({ (0x20...0x7E).contains($0) }) {
                pendingID = text
            }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
                retryMilliseconds = Int64(text) ?? retryMilliseconds
            }
        default: break  // A comment, or a field that is not known.
        }
        return nil
    }

    /// Also without data, which makes no event, an identifier counts.
    private mutating func dispatch() -> Event? {
        lastID = pendingID
        defer {
            name = ""
            data = []
            dataLength = 0
        }
        guard !data.isEmpty else { return nil }
        return Event(
            name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
