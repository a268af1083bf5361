import BasketModels

/// What goes wrong, with which requests, how often.
struct FaultRule: Codable, Sendable, Equatable {
    /// Only requests of this method.
    var method: String?
    /// Only requests whose path begins like this.
    var path: String?
    /// Only requests that name this item.
    var item: String?
    /// Of a hundred such requests, how many; all when nothing is said.
    var percent: Int?
    /// How many times, then never again.
    var times: Int?
    /// Wait this long first.
    var delayMilliseconds: Int?
    /// Then answer with this status instead of doing anything,
    var status: Int?
    /// and with this code.
    var code: String?
    /// What the request and its answer carry goes at this speed.
    var bytesPerSecond: Int?

    /// The first thing about the rule that makes no sense.
    var problem: (field: String, reason: String)? {
        if let percent, !(0...100).contains(percent) { return ("percent", "0 to 100") }
        if let times, times < 1 { return ("times", "1 or more") }
        if let delayMilliseconds, !(0...600_000).contains(delayMilliseconds) {
            return ("delayMilliseconds", "0 to 600000")
        }
        if let status, !(400...599).contains(status) { return ("status", "400 to 599") }
        if let bytesPerSecond, bytesPerSecond < 1 { return ("bytesPerSecond", "1 or more") }
        if status == nil && delayMilliseconds == nil && bytesPerSecond == nil {
            return ("status", "a fault needs a status, a delay or a speed")
        }
        return nil
    }

    func write(to writer: inout JSONWriter) {
        for (name, text) in [("method", method), ("path", path), ("item", item), ("code", code)] {
            guard let text else { continue }
            writer.key(text: name)
            writer.string(text)
        }
        let numbers = [
            ("percent", percent), ("times", times), ("delayMilliseconds", delayMilliseconds),
            ("status", status), ("bytesPerSecond", bytesPerSecond),
        ]
        for (name, number) in numbers {
            guard let number else { continue }
            writer.key(text: name)
            writer.number(number)
        }
    }
}
