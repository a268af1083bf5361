/// One event of a `text/event-stream`.
package struct ServerSentEvent: Sendable, Equatable {
    /// What the client sends back as `Last-Event-ID` when it connects again.
    package var id: String?
    package var name: String?
    package var data: String
    /// How long the client waits before it connects again.
    package var retryMilliseconds: Int?

    package init(
        id: String? = nil, name: String? = nil, data: String, retryMilliseconds: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.data = data
        self.retryMilliseconds = retryMilliseconds
    }

    /// A comment, which clients ignore: it shows both ends that the connection lives.
    package static let heartbeat = Array(":\n\n".utf8)

    /// The event on the wire. Line breaks separate lines of the data, and do not get into the other
    /// fields, where they would begin a field of somebody's choosing.
    package var bytes: [UInt8] {
        var text = ""
        if let id { text += "id: \(Self.oneLine(id))\n" }
        if let name { text += "event: \(Self.oneLine(name))\n" }
        if let retryMilliseconds { text += "retry: \(retryMilliseconds)\n" }
        // As characters, CR and LF together are one line break; so they are in the format.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.breaksLine) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }

    private static func oneLine(_ text: String) -> String {
        text.filter { !breaksLine($0) && $0 != "\0" }
    }

    private static func breaksLine(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }
}
