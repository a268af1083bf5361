/// Where one domain lies.
package struct DomainFolders: Sendable, Equatable {
    /// The replica's own: its database, the contents, what the extension keeps.
    package let replica: String
    /// Where people see it.
    package let place: String

    package init(replica: String, place: String) {
        self.replica = replica
        self.place = place
    }
}
