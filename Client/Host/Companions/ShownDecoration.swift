import FileProvider

/// A mark of an item as it is shown.
package struct ShownDecoration: Sendable, Equatable {
    package let identifier: NSFileProviderItemDecorationIdentifier
    package let category: DeclaredDecoration.Category
    /// The type whose icon is drawn.
    package let badgeType: String?
    package let label: String?
}
