import FileProvider

/// A mark of an item as it is shown.
package struct ShownDecoration: Sendable, Equatable {
    package let identifier: NSFileProviderItemDecorationIdentifier
    package let category: DeclaredDecoration.Category
    /// The type whose icon is drawn.
    package let badgeType: String?
    package let label: String?

    /// Of what stays on this device, by a rule, by its folder, or because the provider does not want it.
    static let excluded = ShownDecoration(
        identifier: NSFileProviderItemDecorationIdentifier("FileProviderHost.excluded"),
        category: .badge, badgeType: nil, label: "Stays on this device")
}
