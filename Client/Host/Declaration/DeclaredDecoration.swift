import FileProvider

/// How an item can be marked.
package struct DeclaredDecoration: Sendable {
    package enum Category: String, Sendable {
        /// On the icon.
        case badge = "Badge"
        /// A text beside it.
        case sharing = "Sharing"
        /// In a folder's icon.
        case folderBadge = "FolderBadge"
    }

    package let identifier: NSFileProviderItemDecorationIdentifier
    package let category: Category
    /// The type whose icon is drawn.
    package let badgeType: String?
    let label: DeclaredText?

    init(_ entry: DeclarationEntry) throws(DeclarationError) {
        identifier = NSFileProviderItemDecorationIdentifier(try entry.requiredText("Identifier"))
        let name = try entry.requiredText("Category")
        guard let category = Category(rawValue: name) else {
            throw DeclarationError(message: "there is no Category '\(name)'.")
        }
        self.category = category
        badgeType = try entry.text("BadgeImageType")
        label = try entry.format("Label")
    }
}
