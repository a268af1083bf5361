import BasketSupport
import FileProviderReplica
import Synchronization
import UniformTypeIdentifiers

// A package is a folder that people take for one document: whoever reads one of its files wants all of it.
extension DomainHost {
    /// So many files are remembered of which nobody has looked yet whether they lie in one.
    private static let mostRead = 256

    /// A program reads a file for the first time since it was opened.
    func noteReadInPackage(_ id: NodeID) {
        let begins = state.withLock { state in
            guard state.hasTypedFolders, state.readInPackages.count < Self.mostRead else {
                return false
            }
            return state.readInPackages.insert(id).inserted
        }
        if begins { replica.changes.poke() }
    }

    /// What cannot be had is left to who asks for it.
    func bringPackagesTogether() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            do {
                for package in try packagesInUse() { try await bringTogether(package) }
            } catch is CancellationError {
                return
            } catch {
                world.log.warning("a package stays incomplete", ["error": .text("\(error)")])
            }
            await replica.changes.wait(since: count)
        }
    }

    private func packagesInUse() throws -> [NodeID] {
        let hasSome = try replica.read { try $0.hasTypedFolders() }
        let read = state.withLock { state in
            state.hasTypedFolders = hasSome
            defer { state.readInPackages = [] }
            return state.readInPackages
        }
        return Set(try read.compactMap(package)).sorted()
    }

    /// The outermost one: a package in a package is a part of it.
    private func package(around id: NodeID) throws -> NodeID? {
        try replica.read { try $0.typedFolders(around: id) }
            .last { ItemType.conforms($0.type, to: UTType.package.identifier) }?.id
    }

    private func bringTogether(_ package: NodeID) async throws {
        guard try calls.isConnected() else { return }
        var folders = [package]
        while let folder = folders.popLast() {
            try await list(folder)
            var last: String?
            while true {
                let children = try replica.read { [last] in
                    try $0.children(of: folder, after: last, limit: 500)
                }
                guard let newest = children.last else { break }
                last = newest.trees.local?.name
                folders += children.filter { $0.kind == .folder }.map(\.id)
                let missing = children.filter {
                    $0.kind == .file && $0.residence != .whole && $0.exclusion == .no
                        && !$0.isWanted
                }
                try await replica.write { transaction in
                    for file in missing {
                        _ = try transaction.update(file.id) { $0.isWanted = $0.residence != .whole }
                    }
                }
            }
        }
    }
}
