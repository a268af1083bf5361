/// Why a domain is not hosted, or has to be.
package enum HostingError: Error, Sendable, CustomStringConvertible {
    /// Programs have something in the folder open.
    case inUse(folder: String, by: [String])
    /// Its process ends again and again, and why.
    case failing(String)
    case stopped
    /// Its process was ended, and one of its threads does not end.
    case stuck

    package var description: String {
        switch self {
        case .inUse(let folder, let programs):
            programs.isEmpty
                ? "\(folder) is in use"
                : "\(folder) is in use by \(programs.joined(separator: ", "))"
        case .failing(let reason): "the domain's host does not come up: \(reason)"
        case .stopped: "the domain is being stopped"
        case .stuck: "the domain's host was ended while it waited for the kernel"
        }
    }
}
