/// What a server is and can do.
package struct ServerInfo: Decodable, Sendable {
    package var name: String
    package var version: String
    package var api: String
    /// Words; more will come.
    package var features: [String]
    /// Every limit in force, by name.
    package var limits: [String: Int64]
}
