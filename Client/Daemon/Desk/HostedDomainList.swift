/// All domains of a person.
package struct HostedDomainList: Codable, Sendable {
    package var domains: [HostedDomainState]
}
