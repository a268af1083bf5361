import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

extension UTType {
    /// A node's type: what the provider says, or else what follows from the name.
    static func ofEntry(_ entry: Entry, said: String?) -> UTType {
        guard let said else { return usual(for: entry.kind, named: entry.name) }
        // What nobody here knows is called what it is called.
        return UTType(spelling: said)
            ?? UTType(
                importedAs: said, conformingTo: usual(for: entry.kind, named: entry.name))
    }

    /// What follows from the name.
    static func usual(for kind: NodeKind, named name: String) -> UTType {
        switch kind {
        case .folder: .folder
        case .symlink: .symbolicLink
        case .file: .ofFile(named: name)
        }
    }
}
