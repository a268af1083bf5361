import FileProvider
import Foundation

/// What the system itself finds wrong.
package enum HostError: Error {
    /// The extension says of an item what cannot be.
    case badItem(String)
    /// The extension answered what no answer is.
    case badAnswer(String)
    /// The enumeration was given up: the extension holds to no limit.
    case badEnumeration(String)
    /// The extension answered nothing for too long.
    case timedOut
    /// The extension is not to be called for now: it has said so itself.
    case disconnected
    /// What is here is being offered to the provider once more, and what had begun before that has no answer.
    case interrupted
    /// Somebody waits by now for what was on its way for nobody: it is asked for anew, before other things.
    case overtaken
    /// What a test wants to be run is not what would be next: things have moved on.
    case outdated
    /// Only in the interactive testing mode does a test say what is done.
    case notInteractive

    package var message: String {
        switch self {
        case .badItem(let what), .badAnswer(let what), .badEnumeration(let what):
            "The extension is wrong: \(what)."
        case .disconnected:
            "The domain is disconnected. What is here stays usable; the rest comes when it is connected again."
        case .interrupted:
            "What is here is being offered to the provider once more: nobody knows what came of this."
        case .overtaken: "Somebody waits for this by now: it is asked for once more."
        case .outdated: "Things have moved on since the operation was listed: list them again."
        case .notInteractive: "The domain is not in the interactive testing mode."
        case .timedOut: "The extension did not answer in time."
        }
    }
}

extension HostError {
    /// What is wrong with the name that an extension gave to a page, if anything is.
    static func fault(in page: NSFileProviderPage?) -> HostError? {
        guard let page, page.rawValue.count > NSFileProviderPage.mostBytes else { return nil }
        return .badEnumeration("a page's name has \(page.rawValue.count) bytes")
    }
}

extension HostError: LocalizedError {
    package var errorDescription: String? { message }
}
