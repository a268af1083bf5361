import BasketContent
import BasketModels

/// Keeps account of a content that comes in, over any number of connections.
final class ContentReceiver {
    /// Where the next byte belongs.
    private(set) var position: Int64
    /// Where the wanted part ends; nil until the content's size is known.
    private(set) var end: Int64?
    /// Once known, the same for every further connection.
    private(set) var version: Version?
    private(set) var size: Int64?
    private let isWhole: Bool
    private let begins: (Int64) -> Void
    private var hasher = SHA256()
    private var announced: ContentHash?
    /// Whether the present connection's head was looked at.
    private var knowsHead = false

    init(
        version: Version?, range: Range<Int64>?, begins: @escaping (Int64) -> Void = { _ in }
    ) {
        self.version = version
        position = range?.lowerBound ?? 0
        end = range?.upperBound
        isWhole = range == nil
        self.begins = begins
    }

    var isComplete: Bool { end.map { position >= $0 } ?? false }

    /// The header that asks for the rest; nil for everything.
    var rangeHeader: String? {
        guard position > 0 || !isWhole else { return nil }
        guard let end else { return "bytes=\(position)-" }
        return "bytes=\(position)-\(end - 1)"
    }

    func beginConnection() {
        knowsHead = false
    }

    /// Refuses an answer that is not the wanted rest of the wanted version.
    func check(_ head: TransportResponse) throws(ConnectionError) {
        guard !knowsHead else { return }
        knowsHead = true
        guard let tag = head[header: "etag"], tag.hasPrefix("\""), tag.hasSuffix("\""),
            let found = Version(tag.dropFirst().dropLast())
        else { throw .badAnswer("the content has no version") }
        guard version == nil || version == found else {
            throw .badAnswer("the content is another version than the one asked for")
        }
        version = found
        if rangeHeader == nil {
            guard head.status == 200 else { throw .badAnswer("a part that nobody asked for") }
            if let length = head[header: "content-length"].flatMap({ Int64($0) }), length >= 0 {
                try checkLength(length)
                (size, end) = (length, length)
            }
        } else {
            try checkPart(head)
        }
        if let size { begins(size) }
        if announced == nil { announced = Self.digest(head[header: "repr-digest"]) }
    }

    private func checkPart(_ head: TransportResponse) throws(ConnectionError) {
        guard head.status == 206,
            let words = head[header: "content-range"]?.split(separator: " "), words.count == 2,
            words[0] == "bytes"
        else { throw .badAnswer("not the part that was asked for") }
        let halves = words[1].split(separator: "/")
        let bounds = halves.first?.split(separator: "-").compactMap { Int64($0) } ?? []
        guard halves.count == 2, bounds.count == 2, let total = Int64(halves[1]),
            bounds[0] == position, bounds[1] >= position, bounds[1] < total,
            size == nil || size == total
        else { throw .badAnswer("not the part that was asked for") }
        try checkLength(total)
        size = total
        // A part that reaches behind the end of the content ends with it.
        let expected = min(end ?? total, total)
        guard bounds[1] + 1 == expected else { throw .badAnswer("not all of the part asked for") }
        end = expected
    }

    private func checkLength(_ length: Int64) throws(ConnectionError) {
        guard length <= ItemInfo.longest else { throw .badAnswer("no content is so long") }
    }

    func take(_ bytes: [UInt8]) throws(ConnectionError) {
        guard end.map({ position + Int64(bytes.count) <= $0 }) ?? true else {
            throw .badAnswer("the content is longer than announced")
        }
        if isWhole { hasher.update(bytes) }
        position += Int64(bytes.count)
    }

    /// What came, once nothing more is expected.
    func finish(expecting hash: ContentHash?) throws(ConnectionError) -> ReceivedContent {
        guard let version else { throw .badAnswer("the content has no version") }
        guard end.map({ position == $0 }) ?? true else {
            throw .unreachable(.broken("the content ended too early"))
        }
        guard isWhole else {
            return ReceivedContent(version: version, size: size ?? position, hash: nil)
        }
        let found = hasher.finish()
        for wanted in [hash, announced] {
            guard let wanted else { continue }
            guard wanted == found else {
                throw .badAnswer("the content's bytes are not those that its hash names")
            }
        }
        return ReceivedContent(version: version, size: position, hash: found)
    }

    /// `sha-256=:…:`, among others.
    private static func digest(_ header: String?) -> ContentHash? {
        for part in header?.split(separator: ",") ?? [] {
            let text = part.drop { $0 == " " }
            guard text.hasPrefix("sha-256=:"), text.hasSuffix(":") else { continue }
            let coded = String(text.dropFirst(9).dropLast())
            return Base64.decode(coded, .standard).flatMap { ContentHash(bytes: $0) }
        }
        return nil
    }
}
