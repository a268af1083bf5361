import FileProvider
import FileProviderReplica

// Keeping items here is the provider's to do: it is asked by an action of its own.
extension DomainHost {
    /// How items are pinned, or unpinned: by the action of that name, or whose identifier ends with a dot and that name.
    package func pinning(_ isOn: Bool, _ items: [NodeID]) throws -> Pinning {
        let (word, opposite) = isOn ? ("pin", "unpin") : ("unpin", "pin")
        let offered = try actions(for: items)
        if let action = Self.action(word, among: offered) { return .action(action.identifier) }
        let isSo =
            Self.action(word, among: declaration.actions) != nil
            && Self.action(opposite, among: offered) != nil
        return isSo ? .isSo : .notOffered
    }

    private static func action(
        _ word: String, among actions: [DeclaredAction]
    ) -> DeclaredAction? {
        actions.first { action in
            let name = action.identifier.rawValue
            return name == word || name.hasSuffix("." + word)
        }
    }
}
