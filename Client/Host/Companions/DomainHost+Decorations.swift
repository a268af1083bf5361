import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation

// How items are marked.
extension DomainHost {
    /// The decorations of an item that its extension has declared, the most important first: one badge, one text
    /// about sharing, and of a folder one badge for that. What stays on this device is marked by the host: nobody
    /// else knows.
    package func decorations(of id: NodeID) throws -> [ShownDecoration] {
        let (staysHere, item) = try replica.read { reader in
            (try reader.node(id).map { $0.exclusion != .no } ?? false, try reader.ruleItem(id))
        }
        var shown: [ShownDecoration] = staysHere ? [.excluded] : []
        guard let item else { return shown }
        let isFolder = item.item.contentType.conforms(to: .directory)
        let question = RuleQuestion(values: [
            "item": .object(item), "domainUserInfo": domainUserInfo,
        ])
        for name in item.facts.decorations {
            guard
                let known = declaration.decorations.first(where: { $0.identifier.rawValue == name }
                ),
                known.category != .folderBadge || isFolder,
                !shown.contains(where: { $0.category == known.category })
            else { continue }
            shown.append(
                ShownDecoration(
                    identifier: known.identifier, category: known.category,
                    badgeType: known.badgeType, label: known.label?.text(for: question)))
        }
        return shown
    }
}
