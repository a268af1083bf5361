import FileProviderHost

/// A request to a daemon: one line of JSON. Which members it needs depends on what is asked; members that are unknown
/// are passed over.
package struct DaemonRequest: Codable, Sendable, Equatable {
    /// What is kept of a domain that is removed.
    package enum Keeping: String, Codable, Sendable, CaseIterable {
        case nothing
        /// What the provider has not got.
        case unsent
        /// Everything whose bytes are here.
        case downloaded
    }

    /// The protocol's version that the sender speaks.
    package var version: Int
    /// The sender's name for it, which is on every line of the answer.
    package var id: String?
    package var ask: DaemonCommand
    /// The domain's identifier.
    package var domain: String?
    /// What people call it.
    package var name: String?
    /// What the domain's extension wants to know of it: texts by their keys.
    package var info: [String: String]?
    /// Whether it has a trash that its provider knows; it has when this is left out.
    package var hasTrash: Bool?
    /// Whether its provider can search; it cannot when this is left out.
    package var canSearch: Bool?
    /// The tree that is to be taken over.
    package var folder: String?
    /// Nothing but what the provider has not got, where this is left out.
    package var keep: Keeping?

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case hasTrash = "trash"
        case canSearch = "search"
        case id, ask, domain, name, info, folder, keep
    }

    package init(_ ask: DaemonCommand, domain: String? = nil) {
        version = ControlProtocol.version
        self.ask = ask
        self.domain = domain
    }

    /// Reads a request, with the line's end or without it.
    /// - Parameter id: gets the request's name as soon as that is known, also of a request that is refused.
    static func read(
        _ bytes: [UInt8], id: inout String?
    ) throws(ControlError) -> DaemonRequest {
        try ControlEnvelope.read(DaemonRequest.self, asking: DaemonCommand.self, bytes, id: &id)
    }

    func required<Value>(
        _ member: KeyPath<DaemonRequest, Value?>, _ field: String
    ) throws(ControlError) -> Value {
        guard let value = self[keyPath: member] else {
            throw ControlError(bad: field, "missing")
        }
        return value
    }
}
