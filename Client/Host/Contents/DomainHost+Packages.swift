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

    /// What cannot be had now is tried again later, for as long as this host runs.
    func bringPackagesTogether() async {
        var failures = 0
        while !Task.isCancelled {
            let count = replica.changes.count
            var hasFailed = false
            do {
                for (package, read) in try packagesInUse() {
                    let isDone = try await isHere(package)
                    if isDone { state.withLock { $0.readInPackages.subtract(read) } }
                    if !isDone { hasFailed = true }
                }
            } catch {
                world.log.warning(
                    "packages cannot be looked after", ["error": .text("\(error)")])
                hasFailed = true
            }
            failures = hasFailed ? failures + 1 : 0
            // Whoever connects the domain again says so.
            if !hasFailed || (try? calls.isConnected()) == false {
                await change(since: count)
            } else {
                let pause = Self.retryPause.after(failures: failures, jitter: jitter())
                await rest(for: pause, unlessSignalledSince: state.withLock { $0.signals })
            }
        }
    }

    /// One that cannot be had keeps nobody from the others.
    private func isHere(_ package: NodeID) async throws -> Bool {
        do {
            try await bringTogether(package)
            return true
        } catch LocalError.notFound {
            // It was taken away meanwhile.
            return true
        } catch {
            world.log.warning("a package stays incomplete", ["error": .text("\(error)")])
            return false
        }
    }

    /// Each with the files that were read in it. What lies in none is forgotten.
    private func packagesInUse() throws -> [(package: NodeID, read: Set<NodeID>)] {
        let hasSome = try replica.read { try $0.hasTypedFolders() }
        let read = state.withLock { state in
            state.hasTypedFolders = hasSome
            return state.readInPackages
        }
        var packages: [NodeID: Set<NodeID>] = [:]
        var others: Set<NodeID> = []
        for id in read {
            if let package = try package(around: id) {
                packages[package, default: []].insert(id)
            } else {
                others.insert(id)
            }
        }
        state.withLock { [others] in $0.readInPackages.subtract(others) }
        return packages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The outermost one: a package in a package is a part of it.
    private func package(around id: NodeID) throws -> NodeID? {
        try replica.read { try $0.typedFolders(around: id) }
            .last { ItemType.conforms($0.type, to: UTType.package.identifier) }?.id
    }

    private func bringTogether(_ package: NodeID) async throws {
        guard try calls.isConnected() else { throw HostError.disconnected }
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
                if missing.isEmpty { continue }
                try await replica.write { transaction in
                    for file in missing {
                        _ = try transaction.update(file.id) { $0.isWanted = $0.residence != .whole }
                    }
                }
            }
        }
    }
}
