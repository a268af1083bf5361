import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

extension UTType {
    /// A node's type: what the provider says, or else what follows from the name.
    static func ofEntry(_ entry: Entry, said: String?) -> UTType {
        if let said, let known = UTType(said) { return known }
        return switch entry.kind {
        case .folder: .folder
        case .symlink: .symbolicLink
        case .file: .ofFile(named: entry.name)
        }
    }
}
