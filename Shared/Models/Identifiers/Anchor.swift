/// A place in a domain's order of changes. Opaque to clients; the epoch changes when the order
/// starts anew, as it does after a restored backup, so that an anchor from a lost future is known.
package struct Anchor: Hashable, Sendable, Codable, CustomStringConvertible {
    package let epoch: Int64
    package let rank: Int64
    /// The last item that was told of at this rank; nil when all of them were.
    package let item: ItemID?
    /// Where the order stood when a first listing began that is still going on; nil otherwise.
    package let listedSince: Int64?

    package init(epoch: Int64, rank: Int64, item: ItemID? = nil, listedSince: Int64? = nil) {
        self.epoch = epoch
        self.rank = rank
        self.item = item
        self.listedSince = listedSince
    }

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...4).contains(parts.count),
            let epoch = Version(parts[0]), let rank = Version(parts[1])
        else { return nil }
        // Ranks are written one higher, because an opaque number is never zero.
        let item = parts.count > 2 ? ItemID(parts[2]) : nil
        let listed = parts.count > 3 ? Version(parts[3]) : nil
        guard parts.count < 3 || item != nil, parts.count < 4 || listed != nil else { return nil }
        self.init(
            epoch: epoch.rawValue, rank: rank.rawValue - 1, item: item,
            listedSince: listed.map { $0.rawValue - 1 })
    }

    package var description: String {
        var text = "\(Version(rawValue: epoch))-\(Version(rawValue: rank + 1))"
        if let item { text += "-\(item)" }
        if let listedSince { text += "-\(Version(rawValue: listedSince + 1))" }
        return text
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let anchor = Anchor(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is not an anchor of this server"))
        }
        self = anchor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
