import Foundation

/// What a process that hosts a domain is told first.
struct HostOrder: Codable, Sendable {
    /// The domain's record, as the registry stores it.
    let domain: Data
    let replica: String
    let place: String
    /// Names the machine's present start.
    let boot: String
    /// Where it is to be spoken to.
    let socket: String
}
