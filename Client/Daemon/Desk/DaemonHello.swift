import FileProviderHost

/// What a daemon says of itself.
package struct DaemonHello: Codable, Sendable {
    package var protocolVersion = ControlProtocol.version
    /// Which Basket it is; nil for one that is older than this member.
    package var version: String?
    package var requests = DaemonCommand.allCases.map(\.rawValue)

    init(version: String) {
        self.version = version
    }
}
