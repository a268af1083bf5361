/// One event of a stream.
struct TestEvent: Sendable, Equatable {
    let id: String
    let name: String
    /// `null` for a comment, and for what only says when to come back.
    let data: JSON

    static func all(in text: String) -> [TestEvent] {
        text.split(separator: "\n\n").map { block in
            var fields: [Substring: Substring] = [:]
            for line in block.split(separator: "\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == " " }
            }
            let data = fields["data"].flatMap { try? JSON(Array($0.utf8)) }
            return TestEvent(
                id: String(fields["id"] ?? ""), name: String(fields["event"] ?? ""),
                data: data ?? .null)
        }
    }
}
