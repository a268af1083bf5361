import BasketConnection
import BasketSupport
import FileProvider
import Foundation

/// Errors as the system takes them: of two domains alone, with words for people and the cause below.
enum SystemError {
    /// What the system takes for "try again".
    private static let tryAgain = NSError(domain: NSCocoaErrorDomain, code: 4101)

    static func of(_ error: any Error) -> any Error {
        switch error {
        case let failure as ProviderFailure: return of(failure)
        case let error as ConnectionError: return of(error)
        case let trouble as KeyringTrouble: return of(trouble)
        case let error as FileError: return of(ConnectionError.file(error))
        case is CancellationError: return CocoaError(.userCancelled)
        default: break
        }
        let stored = (error as? NSFileProviderError)?._nsError ?? error as NSError
        if [NSFileProviderErrorDomain, NSCocoaErrorDomain].contains(stored.domain) { return error }
        return make(tryAgain, "Something unforeseen went wrong: \(error).", cause: error)
    }

    private static func of(_ failure: ProviderFailure) -> any Error {
        switch failure {
        case .notLoggedIn:
            make(
                base(.logIn), "Nobody is logged in to the server.",
                remedy: "Log in again, with ‘basket connect’.")
        case .misconfigured(let what): make(base(.giveUp), what)
        case .noSuchItem(let item):
            NSError.fileProviderErrorForNonExistentItem(withIdentifier: item)
        case .collision(let item): NSError.fileProviderErrorForCollision(with: item)
        case .rejectedDeletion(let item):
            NSError.fileProviderErrorForRejectedDeletion(of: item)
        case .conflict: make(base(.settleConflict), "Somebody else has changed the file meanwhile.")
        case .versionGone: make(base(.takeNewerVersion), "This version is not there any more.")
        case .noTrash: CocoaError(.featureUnsupported)
        case .unsupported(let what): make(base(.neverAsk), what)
        case .refused(let reaction, let cause):
            make(base(reaction), cause.message, cause: cause)
        }
    }

    /// As good as no way to the server: it passes by itself, and nobody is logged out.
    private static func of(_ trouble: KeyringTrouble) -> any Error {
        make(base(.waitForServer), trouble.message, remedy: trouble.remedy)
    }

    private static func of(_ error: ConnectionError) -> any Error {
        guard let reaction = Reaction(error) else { return CocoaError(.userCancelled) }
        // Of which item that was said is not known here, and the system would remove its own one.
        return make(
            reaction == .forget ? tryAgain : base(reaction), error.message, cause: error)
    }

    /// What the system calls a reaction.
    private static func base(_ reaction: Reaction) -> NSError {
        let code: NSFileProviderError.Code
        switch reaction {
        case .logIn: code = .notAuthenticated
        case .waitForServer: code = .serverUnreachable
        case .waitForRoom: code = .insufficientQuota
        case .giveUp: code = .cannotSynchronize
        case .tryAgain: return tryAgain
        case .forget: code = .noSuchItem
        case .rename: code = .filenameCollision
        case .undelete: code = .deletionRejected
        case .undeleteFolder: code = .directoryNotEmpty
        case .enumerateAgain: code = .syncAnchorExpired
        case .takeNewerVersion: code = .versionNoLongerAvailable
        case .settleConflict: code = .localVersionConflictingWithServer
        case .neverAsk:
            return NSError(
                domain: NSCocoaErrorDomain, code: CocoaError.Code.featureUnsupported.rawValue)
        }
        return NSError(domain: NSFileProviderErrorDomain, code: code.rawValue)
    }

    private static func make(
        _ base: NSError, _ words: String, remedy: String? = nil, cause: (any Error)? = nil
    ) -> any Error {
        var info: [String: Any] = [NSLocalizedDescriptionKey: words]
        if let remedy { info[NSLocalizedRecoverySuggestionErrorKey] = remedy }
        if let cause { info[NSUnderlyingErrorKey] = cause as NSError }
        return NSError(domain: base.domain, code: base.code, userInfo: info)
    }
}
