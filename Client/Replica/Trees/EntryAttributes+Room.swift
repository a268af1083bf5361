import Foundation

extension EntryAttributes {
    /// So many bytes of extended attributes, with their names, an extension is handed of an item.
    private static let mostExtended = 32 << 10

    /// Whether an extension takes so many extended attributes.
    /// - Parameter lengths: of each, by its name.
    static func takes(_ lengths: [String: Int]) -> Bool {
        lengths.reduce(0) { $0 + $1.key.utf8.count + $1.value } <= mostExtended
    }

    var hasRoom: Bool { Self.takes(extended.mapValues(\.count)) }
}
