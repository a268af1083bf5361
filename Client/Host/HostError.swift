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

    package var message: String {
        switch self {
        case .badItem(let what), .badAnswer(let what), .badEnumeration(let what):
            "The extension is wrong: \(what)."
        case .disconnected:
            "The domain is disconnected. What is here stays usable; the rest comes when it is connected again."
        case .timedOut: "The extension did not answer in time."
        }
    }
}
