import FileProvider
import FileProviderRules

/// Something that a person can have done with items.
package struct DeclaredAction: Sendable {
    package let identifier: NSFileProviderExtensionActionIdentifier
    package let name: String
    package let rule: ActivationRule

    init(_ entry: DeclarationEntry) throws(DeclarationError) {
        identifier = NSFileProviderExtensionActionIdentifier(
            try entry.requiredText("NSExtensionFileProviderActionIdentifier"))
        name = try entry.requiredText("NSExtensionFileProviderActionName")
        rule = try entry.rule("NSExtensionFileProviderActionActivationRule")
    }
}
