import FileProvider

/// A mark of an item, as it is shown.
package struct ShownMark: Codable, Sendable, Equatable {
    package var identifier: String
    package var category: String
    package var badgeType: String?
    package var label: String?

    init(_ decoration: ShownDecoration) {
        identifier = decoration.identifier.rawValue
        category = "\(decoration.category)"
        badgeType = decoration.badgeType
        label = decoration.label
    }
}
