/// What is worth compressing: the JSON that we make ourselves. Contents are somebody's files, which
/// are mostly compressed already, and whose ranges count bytes; events must go out at once.
enum CompressibleContent {
    /// Below this, gzip's own bytes and time outweigh what it saves.
    static let leastBytes = 1 << 10

    static func includes(_ headers: HTTPHeaders) -> Bool {
        guard headers["Content-Encoding"] == nil, let type = headers["Content-Type"] else {
            return false
        }
        let name = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        return name.hasPrefix("application/") && name.hasSuffix("json")
    }

    static func isEventStream(_ headers: HTTPHeaders) -> Bool {
        headers["Content-Type"]?.lowercased().hasPrefix("text/event-stream") ?? false
    }
}
