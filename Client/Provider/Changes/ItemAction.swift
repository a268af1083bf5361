import FileProvider

/// What a person can do with items besides what files can do anyway, by the names under which it is declared.
package enum ItemAction: String, Sendable, CaseIterable {
    case pin = "basket.pin"
    case unpin = "basket.unpin"
    case favorite = "basket.favorite"
    case unfavorite = "basket.unfavorite"
    case lock = "basket.lock"
    case unlock = "basket.unlock"
    /// End a conflict: with what is there now, with the newest content that lost, or with all of them.
    case keepCurrent = "basket.conflict.keep-current"
    case keepOther = "basket.conflict.keep-other"
    case keepAll = "basket.conflict.keep-all"
    /// Bring back the content that a file had before the present one.
    case restorePrevious = "basket.restore-previous"

    package init?(_ identifier: NSFileProviderExtensionActionIdentifier) {
        self.init(rawValue: identifier.rawValue)
    }

    package var identifier: NSFileProviderExtensionActionIdentifier {
        NSFileProviderExtensionActionIdentifier(rawValue)
    }
}
