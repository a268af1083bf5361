/// A service that an item has.
package struct OfferedServiceName: Codable, Sendable, Equatable {
    package var name: String
}
