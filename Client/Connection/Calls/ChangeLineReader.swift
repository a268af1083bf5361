import BasketModels

/// Reads a stream of changes: an item a line, and the anchor in the last one.
package final class ChangeLineReader {
    private enum Line: Decodable {
        case item(ItemInfo)
        case anchor(String)

        private enum CodingKeys: CodingKey {
            case anchor
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            if let anchor = try fields.decodeIfPresent(String.self, forKey: .anchor) {
                self = .anchor(anchor)
            } else {
                self = .item(try ItemInfo(from: decoder))
            }
        }
    }

    /// An item with all the attributes that it may have stays below this.
    private static let longestLine = 4 << 20

    private var pending: [UInt8] = []
    /// From where to go on; nil until the last line was read.
    package private(set) var anchor: String?

    package init() {}

    /// The items whose lines end in these bytes.
    package func take(_ bytes: [UInt8]) throws(ConnectionError) -> [ItemInfo] {
        var items: [ItemInfo] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            pending += bytes[start..<end]
            start = end + 1
            if !pending.isEmpty {
                guard anchor == nil else { throw .badAnswer("there are changes after the last") }
                switch try AnswerReader.read(Line.self, pending) {
                case .item(let item): items.append(item)
                case .anchor(let last): anchor = last
                }
            }
            pending.removeAll(keepingCapacity: true)
        }
        pending += bytes[start...]
        guard pending.count <= Self.longestLine else { throw .badAnswer("a line has no end") }
        return items
    }
}
