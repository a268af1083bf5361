import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

// What the provider tells, one by one.
extension DomainHost {
    /// Asks for what the provider has to tell, as far as that takes in nothing.
    func discover() async throws -> [TestingOperation] {
        guard try await finishImportIfOffered() else { return [] }
        while true {
            switch try replica.read({ try $0.stage() }) {
            case .empty: try await beginTelling()
            case .filling:
                state.withLock { $0.isCatchingUp = true }
                if workingSet.isComplete {
                    return [ChildrenEnumerationOperation(.everything, .workingSet)]
                }
                if let next = try nextFolder() { return [next] }
                try await replica.write { try $0.endFilling(isComplete: false) }
            case .verifying:
                let unseen = try unseen()
                if !unseen.isEmpty { return unseen }
                try await replica.write { try $0.endVerifying() }
                testing.noteEverythingTold()
            case .following:
                guard try await hear() else { continue }
                let isDone = testing.tidings.isEmpty
                state.withLock { $0.isCatchingUp = !isDone }
                if isDone { noteCaughtUp() }
                return try tidings()
            }
        }
    }

    private func noteCaughtUp() {
        state.withLock { state in
            state.round += 1
            state.completedRound = state.round
        }
        replica.changes.poke()
    }

    private func beginTelling() async throws {
        testing.remove { _ in true }
        let enumerator = try workingSet.enumerator()
        defer { enumerator.invalidate() }
        try await workingSet.begin(enumerator)
    }

    /// - Returns: false while something has not been offered yet that is here.
    private func finishImportIfOffered() async throws -> Bool {
        guard try replica.read({ try $0.isImporting() }) else { return true }
        if try replica.read({ try $0.hasUnoffered() }) { return false }
        try await tellOfImport()
        return true
    }

    private func nextFolder() throws -> TestingOperation? {
        try replica.read { reader in
            guard let folder = try reader.nextFolderToList(),
                let identifier = try reader.node(folder)?.identifier
            else { return nil }
            return ChildrenEnumerationOperation(.again(folder), identifier)
        }
    }

    private func unseen() throws -> [TestingOperation] {
        try replica.read { reader in
            try reader.unseen(limit: .max).compactMap { id in
                try reader.node(id)?.identifier.map { LookupOperation(.unseen(id), $0) }
            }
        }
    }

    /// - Returns: false when everything has to be told again.
    private func hear() async throws -> Bool {
        let isSignalled = state.withLock { state in
            defer { state.isSignalled = false }
            return state.isSignalled
        }
        let isFresh = testing.takeFreshness()
        guard isSignalled || isFresh else { return true }
        do {
            guard let anchor = try testing.anchor ?? replica.read({ try $0.anchor() }) else {
                // A provider without anchors tells no changes.
                if !isFresh { try await replica.write { try $0.beginAnew() } }
                return isFresh
            }
            try await hear(from: NSFileProviderSyncAnchor(Data(anchor)))
            return true
        } catch {
            state.withLock { $0.isSignalled = true }
            guard case .anchorExpired = Reaction(error) else { throw error }
            try await replica.write { try $0.beginAnew() }
            return false
        }
    }

    private func hear(from start: NSFileProviderSyncAnchor) async throws {
        let enumerator = try workingSet.enumerator()
        defer { enumerator.invalidate() }
        var anchor = start
        while true {
            let batch = try await ChangeCollector.batch(
                of: enumerator, from: anchor, suggesting: WorkingSet.pageSize, calls)
            workingSet.tidings.note(batch.changes)
            let next = Array(batch.anchor.rawValue)
            testing.add(batch.changes, upTo: next)
            guard batch.isMoreComing, batch.anchor != anchor else { break }
            anchor = batch.anchor
        }
        if testing.tidings.isEmpty, let end = testing.anchor {
            try await replica.write { try $0.set(anchor: end) }
            testing.remove { _ in true }
        }
    }

    // MARK: Taking in

    /// Of each item the first, and nothing before its folder.
    private func tidings() throws -> [TestingOperation] {
        let all = testing.tidings
        let told = Set(all.map(\.identifier))
        let isComplete = workingSet.isComplete
        return try replica.read { reader in
            var seen: Set<NSFileProviderItemIdentifier> = []
            var found: [TestingOperation] = []
            for tiding in all where seen.insert(tiding.identifier).inserted {
                if let parent = tiding.parent, try reader.id(of: parent) == nil {
                    if told.contains(parent) { continue }
                    // What nobody here has ever looked at does not have to be known.
                    let isKnown = try reader.id(of: tiding.identifier) != nil
                    if isComplete || isKnown {
                        if seen.insert(parent).inserted {
                            found.append(LookupOperation(.unknown(parent), parent))
                        }
                        continue
                    }
                }
                found.append(operation(for: tiding))
            }
            return found
        }
    }

    private func operation(for tiding: Tiding) -> TestingOperation {
        var template: ItemTemplate?
        if case .updated(let item) = tiding.change { template = ItemTemplate(item) }
        return IngestionOperation(
            .told(tiding.number), side: .fileProvider, tiding.identifier, template)
    }

    func takeIn(_ number: UInt64) async throws {
        let all = testing.tidings
        guard let tiding = all.first(where: { $0.number == number }),
            all.first(where: { $0.identifier == tiding.identifier })?.number == number
        else { throw HostError.outdated }
        let isComplete = workingSet.isComplete
        let anchor = testing.anchor(without: number)
        try await replica.write { transaction in
            switch tiding.change {
            case .updated(let item):
                try transaction.ingest(item, isListed: isComplete, isShown: false)
            case .deleted(let identifier): try transaction.forget(identifier)
            }
            if let anchor { try transaction.set(anchor: anchor) }
        }
        testing.remove { $0.number == number }
    }

    func lookUp(_ identifier: NSFileProviderItemIdentifier) async throws {
        let all = testing.tidings
        guard all.contains(where: { $0.parent == identifier }),
            !all.contains(where: { $0.identifier == identifier }),
            try replica.read({ try $0.id(of: identifier) }) == nil
        else { throw HostError.outdated }
        do {
            let item = try await calls.item(
                identifier, replica.request(isSystemRequest: true))
            testing.addFirst(item)
            try requireEnd(above: identifier)
        } catch  where Reaction(error).isMissing {
            // It went meanwhile, with everything in it: that is told, too.
            var gone: Set = [identifier]
            for tiding in testing.tidings {
                if let parent = tiding.parent, gone.contains(parent) {
                    gone.insert(tiding.identifier)
                }
            }
            let lost = gone
            testing.remove { tiding in tiding.parent.map(lost.contains) ?? false }
        }
    }

    /// Folders that are said to lie in each other are never known.
    private func requireEnd(above identifier: NSFileProviderItemIdentifier) throws {
        let parents = Dictionary(
            testing.tidings.compactMap { tiding in tiding.parent.map { (tiding.identifier, $0) } },
            uniquingKeysWith: { first, _ in first })
        var way: Set<NSFileProviderItemIdentifier> = []
        var current = identifier
        while let parent = parents[current], try replica.read({ try $0.id(of: current) }) == nil {
            guard way.insert(current).inserted else {
                let circle = way
                testing.remove { circle.contains($0.identifier) }
                throw HostError.badEnumeration("item \(identifier.rawValue) lies in itself")
            }
            current = parent
        }
    }
}

extension ItemTemplate {
    /// As the provider tells it.
    convenience init(_ item: RemoteItem) {
        var content = item.contentVersion
        if case .version(let version) = item.content { content = version }
        self.init(
            identifier: item.identifier, parent: item.parent,
            entry: Entry(
                parent: .root, name: item.name, kind: item.kind, content: item.content,
                attributes: item.attributes),
            version: NSFileProviderItemVersion(
                contentVersion: content ?? NSFileProviderItemVersion.beforeFirstSyncComponent,
                metadataVersion: item.metadataVersion),
            size: item.size, type: item.type)
    }
}
