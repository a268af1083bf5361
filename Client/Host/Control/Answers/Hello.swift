/// What is spoken here.
package struct Hello: Codable, Sendable, Equatable {
    package var protocolVersion = ControlProtocol.version
    package var requests = ControlCommand.allCases.map(\.rawValue)
    package var longestRequest = ControlProtocol.longestRequest
    package var mostItems = ControlProtocol.mostItems
    package var mostEntries = ControlProtocol.mostEntries

    package init() {}
}
