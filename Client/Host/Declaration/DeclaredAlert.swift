/// What a person is asked.
struct DeclaredAlert: Sendable {
    let title: DeclaredText
    let subtitle: DeclaredText?
    let continueLabel: String?
    let cancelLabel: String?
    let canContinue: Bool
    let isDestructive: Bool

    init(_ entry: DeclarationEntry) throws(DeclarationError) {
        guard let title = try entry.format("LocalizedTitle") else {
            throw DeclarationError(message: "LocalizedTitle is missing.")
        }
        self.title = title
        subtitle = try entry.format("LocalizedSubTitle")
        let labels = try entry.entry("LocalizedRecoveryOptions")
        continueLabel = try labels?.text("Continue")
        cancelLabel = try labels?.text("Cancel")
        let options = try entry.entry("RecoveryOptions")
        canContinue = try options?.flag("Continue", otherwise: true) ?? true
        isDestructive = try options?.flag("Destructive", otherwise: false) ?? false
    }
}
