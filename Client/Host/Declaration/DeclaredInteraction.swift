import FileProviderRules

/// What a person is asked before something is done, and when.
package struct DeclaredInteraction: Sendable {
    let rule: ActivationRule
    let alert: DeclaredAlert?
    /// Asked about those items for which the rule holds.
    let parts: [DeclaredInteraction]
    let help: String?
    let suppression: String?

    /// Deeper than anybody refines a rule.
    private static let deepest = 8

    init(_ entry: DeclarationEntry) throws(DeclarationError) {
        try self.init(entry, depth: 0)
    }

    private init(_ entry: DeclarationEntry, depth: Int) throws(DeclarationError) {
        guard depth < Self.deepest else {
            throw DeclarationError(message: "SubInteractions are more than \(Self.deepest) deep.")
        }
        rule = try entry.rule("ActivationRule")
        var alert: DeclaredAlert?
        if let part = try entry.entry("Alert") { alert = try DeclaredAlert(part) }
        var parts: [DeclaredInteraction] = []
        for part in try entry.entries("SubInteractions") {
            parts.append(try DeclaredInteraction(part, depth: depth + 1))
        }
        guard alert != nil || !parts.isEmpty else {
            throw DeclarationError(message: "there is neither Alert nor SubInteractions.")
        }
        self.alert = alert
        self.parts = parts
        help = try entry.text("HelpURL")
        suppression = try entry.text("SuppressionIdentifier")
    }
}
