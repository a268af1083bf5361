import BasketContent
import BasketModels
import BasketSupport

/// Where a page of a folder begins: after this item. Opaque to clients.
package struct ListCursor: Sendable, Equatable {
    let order: ItemOrder
    let isDescending: Bool
    /// The last item's key, or its number in the column that sorts.
    let key: [UInt8]
    let number: Int64
    let item: ItemID

    /// What a short name's key may have. A client keeps cursors where there is room for 500 bytes, and the
    /// folded form of a long name has three times as many as the name.
    private static let longestKey = CaseRule.longestName
    /// Begins what stands for a longer key: no name begins with it.
    private static let mark: UInt8 = 0xFF

    /// What a cursor says of a key.
    static func shortened(_ key: [UInt8]) -> [UInt8] {
        key.count <= longestKey ? key : [mark] + ContentHash(of: key).bytes
    }

    /// Whether the key is the item's to tell.
    var isShortened: Bool { key.first == Self.mark }

    package init(
        order: ItemOrder, isDescending: Bool, key: [UInt8], number: Int64, item: ItemID
    ) {
        self.order = order
        self.isDescending = isDescending
        self.key = key
        self.number = number
        self.item = item
    }

    /// Nil for what is no cursor of ours.
    package init?(_ text: String) {
        guard let bytes = Base64.decode(text, .url), bytes.count >= 17, bytes.count <= 2048,
            Int(bytes[0] >> 1) < ItemOrder.allCases.count
        else { return nil }
        func number(_ start: Int) -> Int64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        }
        order = ItemOrder.allCases[Int(bytes[0] >> 1)]
        isDescending = bytes[0] & 1 == 1
        self.number = number(1)
        item = ItemID(rawValue: number(9))
        key = Array(bytes[17...])
    }

    package var text: String {
        var bytes: [UInt8] = []
        let place = ItemOrder.allCases.firstIndex(of: order) ?? 0
        bytes.append(UInt8(place) << 1 | (isDescending ? 1 : 0))
        for value in [number, item.rawValue] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
            }
        }
        return Base64.encode(bytes + key, .url)
    }
}
