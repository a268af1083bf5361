/// What a person is asked before something is done.
package struct InteractionAlert: Sendable, Equatable {
    package let title: String
    package let subtitle: String?
    package let continueLabel: String?
    package let cancelLabel: String?
    /// Else it cannot be done at all.
    package let canContinue: Bool
    package let isDestructive: Bool
    package let help: String?
    /// By which a person can say not to be asked again.
    package let suppression: String?

    package init(
        title: String, subtitle: String?, continueLabel: String?, cancelLabel: String?,
        canContinue: Bool, isDestructive: Bool, help: String?, suppression: String?
    ) {
        self.title = title
        self.subtitle = subtitle
        self.continueLabel = continueLabel
        self.cancelLabel = cancelLabel
        self.canContinue = canContinue
        self.isDestructive = isDestructive
        self.help = help
        self.suppression = suppression
    }
}
