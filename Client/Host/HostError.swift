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

    package var message: String {
        switch self {
        case .badItem(let what), .badAnswer(let what), .badEnumeration(let what):
            "The extension is wrong: \(what)."
        case .timedOut: "The extension did not answer in time."
        }
    }
}
