import BasketSupport
import FileProvider
import FileProviderHost
import Foundation

// What goes wrong with domains, in the words of the protocol.
extension ControlError {
    init(daemon error: any Error) {
        switch error {
        case let error as ControlError: self = error
        case HostingError.inUse(let folder, let programs): self.init(inUse: folder, programs)
        case let error as HostingError:
            self.init(
                .failed, "\(error).",
                "The daemon goes on trying; its log says more. ‘basket doctor’ looks for what is wrong."
            )
        case CocoaError.fileWriteFileExists:
            self.init(
                .exists, "There is something of that name already.",
                "Choose another name, or move away what is there.")
        case CocoaError.fileWriteOutOfSpace:
            self.init(.noRoom, "The disk is full.", "Make room, and try again.")
        case CocoaError.fileNoSuchFile:
            self.init(.failed, "There is no such folder.", "Look at its path.")
        case CocoaError.featureUnsupported:
            self.init(
                .notSupported, "A domain cannot lie there.",
                "Choose a folder on the disk of your home folder that holds no domain.")
        case CocoaError.fileWriteInvalidFileName:
            self.init(
                .failed, "No folder can be called so.", "Choose a shorter name without slashes.")
        default: self.init(other: error)
        }
    }

    private init(inUse folder: String, _ programs: [String]) {
        let who = programs.isEmpty ? "a program" : programs.joined(separator: ", ")
        self.init(
            .inUse, "\(folder) is in use by \(who).",
            "Close what is open in it, leave the folder, and try again.")
    }

    private init(other error: any Error) {
        switch NSFileProviderError(bridging: error)?.code {
        case .providerDomainNotFound:
            self.init(
                .noSuchDomain, "There is no such domain.", "‘basket status’ lists those there are.")
        case .providerDomainTemporarilyUnavailable:
            self.init(
                .failed,
                "Something else is being done with the domain, or its record cannot be read.",
                "Try again in a moment; the daemon's log says more.")
        case .domainDisabled:
            self.init(
                .notSupported, "The domain is switched off.", "Switch it on first: ‘basket enable’."
            )
        default:
            self.init(.failed, "\(error).", "The daemon's log says more.")
        }
    }
}
