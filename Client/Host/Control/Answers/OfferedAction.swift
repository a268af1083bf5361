/// Something that a person can have done with items.
package struct OfferedAction: Codable, Sendable, Equatable {
    package var identifier: String
    package var name: String

    package init(identifier: String, name: String) {
        self.identifier = identifier
        self.name = name
    }
}
