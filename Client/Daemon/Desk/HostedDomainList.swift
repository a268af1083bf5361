/// All domains of a person.
package struct HostedDomainList: Codable, Sendable {
    package var domains: [HostedDomainState]
    /// Where people see them; nil where the daemon is older than this member.
    package var folder: String?
}
