import FileProvider
import FileProviderReplica
import Foundation

// What went wrong below, in this protocol's words: the one table.
extension ControlError {
    /// - Parameter item: which one it happened to.
    init(_ error: any Error, _ item: ControlItem?) {
        self =
            switch error {
            case let error as ControlError: error
            case is CancellationError:
                ControlError(.cancelled, "The request was given up.", "Ask again.")
            case let error as LocalError: ControlError(error, item)
            case let error as HostError: ControlError(error)
            default: ControlError(foreign: error as NSError, item)
            }
        if self.item == nil { self.item = item }
    }

    static func missing(_ item: ControlItem) -> ControlError {
        ControlError(
            .noSuchItem, "There is no item \(item.text) on this device.",
            "Look where it is now; a folder that nobody has looked into has to be listed first.",
            item: item)
    }

    private init(_ error: LocalError, _ item: ControlItem?) {
        let what = item?.text ?? "The item"
        switch error {
        case .notFound:
            self.init(.noSuchItem, "There is no \(what) here any more.", "Look where it is now.")
        case .noRoom:
            self.init(
                .noRoom, "There is no room for \(what) on this device.",
                "Have other files go, or raise the limit.")
        case .isAFolder, .notAFolder:
            self.init(.badField, "\(what) is of another kind.", "Name an item of that kind.")
        default:
            self.init(.failed, "\(what): \(error).", "Ask what is known of it with “why”.")
        }
    }

    private init(_ error: HostError) {
        switch error {
        case .disconnected:
            self.init(.disconnected, error.message, "Connect it again with “resume”.")
        case .interrupted:
            self.init(
                .interrupted, error.message, "Look whether it was done, and ask again if not.")
        case .outdated: self.init(.outdated, error.message, "Ask for “operations” again.")
        case .notInteractive:
            self.init(
                .notInteractive, error.message, "Add the domain in the interactive testing mode.")
        default:
            self.init(.providerFailed, error.message, "Try again; tell whoever made the provider.")
        }
    }

    private init(foreign error: NSError, _ item: ControlItem?) {
        let what = item.map { "\($0.text): " } ?? ""
        let words = what + error.localizedDescription
        switch (error.domain, error.code) {
        case (NSCocoaErrorDomain, CocoaError.Code.featureUnsupported.rawValue):
            self.init(
                .notSupported, "\(what)The provider, or the domain, does not do that.",
                "Ask for what it does instead.")
        case (NSPOSIXErrorDomain, Int(EBUSY)):
            self.init(.inUse, words, "Close it there, and try again.")
        case (NSFileProviderErrorDomain, NSFileProviderError.Code.nonEvictableChildren.rawValue):
            // Why the first of them has to stay is what can be done something about.
            let causes = error.userInfo[NSError.underlyingErrorsKey] as? [any Error]
            if let cause = causes?.first {
                self.init(foreign: cause as NSError, item)
            } else {
                self.init(.nonEvictableChildren, words)
            }
        case (NSFileProviderErrorDomain, NSFileProviderError.Code.cannotSynchronize.rawValue):
            // It says that something else stands in the way, and that is what can be done something about.
            let cause = (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap {
                NSFileProviderError(bridging: $0)
            }
            self.init(cause?.code ?? .cannotSynchronize, words)
        case (NSFileProviderErrorDomain, _):
            self.init(NSFileProviderError(bridging: error)?.code, words)
        default: self.init(.failed, words, "Try again; “why” tells what is known of an item.")
        }
        if let remedy = error.remedy { self.remedy = remedy }
    }

    private init(_ code: NSFileProviderError.Code?, _ words: String) {
        switch code {
        case .notAuthenticated:
            self.init(.notSignedIn, words, "Log in again, with “connect”.")
        case .serverUnreachable:
            self.init(.unreachable, words, "It is tried again by itself; look at the network.")
        case .insufficientQuota:
            self.init(.quotaExceeded, words, "Make room at the provider.")
        case .cannotSynchronize:
            self.init(.cannotSynchronise, words, "“status” tells what has to be resolved.")
        case .noSuchItem:
            self.init(.noSuchItem, words, "Look where it is now.")
        case .unsyncedEdits, .nonEvictableChildren:
            self.init(.unsent, words, "Wait until it was sent, with “wait”.")
        case .excludedFromSync:
            self.init(.onlyHere, words, "Move it to another disk, if you want the room.")
        case .nonEvictable: self.init(.pinned, words, "Take it off what is kept, with “unpin”.")
        case .providerDomainTemporarilyUnavailable:
            self.init(.disconnected, words, "Connect it again with “resume”.")
        default: self.init(.providerFailed, words, "Try again.")
        }
    }
}
