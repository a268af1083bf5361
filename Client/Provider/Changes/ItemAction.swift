import BasketModels
import FileProvider

/// What a person can do with items besides what files can do anyway.
package enum ItemAction: Sendable, Equatable {
    case pin, unpin
    case favorite, unfavorite
    case lock, unlock
    /// End a conflict: with what is there now, with the newest content that lost, or with all of them.
    case keepCurrent, keepOther, keepAll
    /// Bring back an earlier content of a file.
    case restore(Version)

    private static let restorePrefix = "basket.restore."
    private static let words: [(word: String, action: ItemAction)] = [
        ("basket.pin", .pin), ("basket.unpin", .unpin),
        ("basket.favorite", .favorite), ("basket.unfavorite", .unfavorite),
        ("basket.lock", .lock), ("basket.unlock", .unlock),
        ("basket.conflict.keep-current", .keepCurrent),
        ("basket.conflict.keep-other", .keepOther), ("basket.conflict.keep-all", .keepAll),
    ]

    package init?(_ identifier: NSFileProviderExtensionActionIdentifier) {
        let text = identifier.rawValue
        if let known = Self.words.first(where: { $0.word == text }) {
            self = known.action
        } else if text.hasPrefix(Self.restorePrefix),
            let version = Version(text.dropFirst(Self.restorePrefix.count))
        {
            self = .restore(version)
        } else {
            return nil
        }
    }

    package var identifier: NSFileProviderExtensionActionIdentifier {
        if case .restore(let version) = self {
            return NSFileProviderExtensionActionIdentifier("\(Self.restorePrefix)\(version)")
        }
        let known = Self.words.first { $0.action == self }
        return NSFileProviderExtensionActionIdentifier(known?.word ?? "")
    }
}
