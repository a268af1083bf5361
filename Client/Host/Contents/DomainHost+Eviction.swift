import FileProvider
import FileProviderReplica
import Foundation

// Room for other things.
extension DomainHost {
    /// Lets go of the bytes of a file, or of all that lies in a folder, as far as the provider has them. It ends
    /// at the first that has to stay; what went before is gone.
    package func evict(_ id: NodeID) async throws {
        guard let node = try replica.read({ try $0.node(id) }), node.trees.local != nil else {
            throw LocalError.notFound
        }
        guard node.kind == .folder else {
            if openContents.isOpen(id) { throw Self.error(.inUse) }
            if let reason = try await replica.makeRoom({ try $0.evict(id) }) {
                throw Self.error(reason)
            }
            return
        }
        var folders = [id]
        while let folder = folders.popLast() {
            var last: String?
            while true {
                let start = last
                let children = try replica.read {
                    try $0.children(of: folder, after: start, limit: 500)
                }
                guard let newest = children.last else { break }
                last = newest.trees.local?.name
                folders += children.filter { $0.kind == .folder }.map(\.id)
                let files = children.filter { $0.kind == .file && $0.residence != .dataless }
                let open = openContents
                let refusal: ReasonToKeep? = try await replica.makeRoom { transaction in
                    for file in files {
                        if open.isOpen(file.id) { return .inUse }
                        let reason: ReasonToKeep? = try transaction.evict(file.id)
                        if let reason { return reason }
                    }
                    return nil
                }
                guard let refusal else { continue }
                throw NSFileProviderError(
                    .nonEvictableChildren,
                    userInfo: [Self.underlyingErrorsKey: [Self.error(refusal)]])
            }
        }
    }

    /// As Foundation calls it where there is Objective-C.
    private static let underlyingErrorsKey = "NSMultipleUnderlyingErrorsKey"

    private static func error(_ reason: ReasonToKeep) -> any Error {
        switch reason {
        case .unsynced, .onlyHere: NSFileProviderError(.unsyncedEdits)
        case .pinned, .rules: NSFileProviderError(.nonEvictable)
        case .inUse: NSError(domain: NSPOSIXErrorDomain, code: Int(EBUSY))
        }
    }
}
