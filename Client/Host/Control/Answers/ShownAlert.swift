/// What a person is asked before something is done.
package struct ShownAlert: Codable, Sendable, Equatable {
    /// Nil when nothing is asked; then all the others are.
    package var title: String?
    package var subtitle: String?
    package var continueLabel: String?
    package var cancelLabel: String?
    /// Else it cannot be done at all.
    package var canContinue: Bool?
    package var isDestructive: Bool?
    package var help: String?
    /// By which a person can say not to be asked again.
    package var suppression: String?

    init(_ alert: InteractionAlert?) {
        title = alert?.title
        subtitle = alert?.subtitle
        continueLabel = alert?.continueLabel
        cancelLabel = alert?.cancelLabel
        canContinue = alert?.canContinue
        isDestructive = alert?.isDestructive
        help = alert?.help
        suppression = alert?.suppression
    }
}
