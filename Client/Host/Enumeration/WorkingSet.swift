import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// Follows the provider's working set: the one way by which changes come from there.
struct WorkingSet: Sendable {
    let replica: Replica
    let calls: ExtensionCalls
    /// Called when something was told that is to be done here now: of what this device has sent and heard the answer to,
    /// nothing is.
    let didHearOfOthers: @Sendable () -> Void
    let tidings = Tidings()
    private var provider: any NSFileProviderReplicatedExtension & Sendable { calls.provider }

    /// What is asked for at once; the extension may tell a hundred times as many.
    static let pageSize = 1000
    /// So many items are written in one transaction, so that others get in between.
    private static let writeSize = 2000

    /// Whether it holds everything, so that folders need no listing of their own.
    var isComplete: Bool { provider is any CompleteWorkingSet }

    func enumerator() throws -> any NSFileProviderEnumerator {
        try provider.enumerator(
            for: .workingSet, request: replica.request(isSystemRequest: true))
    }

    /// Takes in everything that has happened since the last time; returns when there is no more.
    func catchUp() async throws {
        let enumerator = try enumerator()
        defer { enumerator.invalidate() }
        var isNew = false
        while true {
            switch try replica.read({ try $0.stage() }) {
            case .empty:
                try await begin(enumerator)
                isNew = true
            case .filling:
                if isComplete { try await fill(enumerator) } else { try await listAgain() }
            case .verifying: try await verify()
            case .following:
                if let anchor = try replica.read({ try $0.anchor() }) {
                    return try await follow(
                        enumerator, from: NSFileProviderSyncAnchor(Data(anchor)))
                }
                // A provider without anchors tells no changes: everything has to be told each time.
                if isNew { return }
                try await replica.write { try $0.beginAnew() }
            }
        }
    }

    /// The anchor is of before everything is told, so that what changes meanwhile is told again.
    func begin(_ enumerator: any NSFileProviderEnumerator) async throws {
        // What is said of it counts for all below, and no set need tell of it.
        _ = try await isDone { _ = try await isMissing(.rootContainer) }
        let anchor = try await anchor(of: enumerator).map { Array($0.rawValue) }
        tidings.noteAnew()
        try await replica.write { try $0.beginFilling(from: anchor) }
    }

    /// Nil for a provider without anchors. That is also all that one can say who could not find its anchor out, and
    /// whom that is believed of has everything told, now and after each signal: so another question, to which there
    /// are errors, is to be answered first, and then this one again.
    private func anchor(
        of enumerator: any NSFileProviderEnumerator
    ) async throws -> NSFileProviderSyncAnchor? {
        if let anchor = try await calls.anchor(of: enumerator) { return anchor }
        do {
            _ = try await item(.rootContainer)
        } catch  where Reaction(error).isMissing {
            // That is an answer, too.
        }
        return try await calls.anchor(of: enumerator)
    }

    private func follow(
        _ enumerator: any NSFileProviderEnumerator, from start: NSFileProviderSyncAnchor
    ) async throws {
        var anchor = start
        while true {
            let question = tidings.ask()
            let batch = try await ChangeCollector.batch(
                of: enumerator, from: anchor, suggesting: Self.pageSize, calls)
            tidings.note(batch.changes)
            try await takeIn(batch, of: question)
            guard batch.isMoreComing, batch.anchor != anchor else { return }
            anchor = batch.anchor
        }
    }

    // MARK: Changes

    /// What comes of a batch beside what was taken in at once.
    private struct Rest {
        /// Items in folders that nobody knows.
        var strays: [RemoteItem] = []
        /// Those of which something else was answered while the batch was on its way.
        var doubtful: [NSFileProviderItemIdentifier] = []
        /// Whether anything is to be done here because of what was told.
        var isNews = false
    }

    /// The anchor comes last of all: a crash before that has the changes told again.
    private func takeIn(
        _ batch: ChangeCollector.Batch, of question: Tidings.Question
    ) async throws {
        let isComplete = isComplete
        var rest = Rest()
        for part in batch.changes.parts(of: Self.writeSize) {
            // After a crash it is told again: the anchor waits for the disk.
            let more = try await replica.writeSoon { transaction in
                var rest = Rest()
                let turn = try transaction.reader.lastTurn()
                for change in part {
                    if try isDoubtful(change, question, transaction.reader, &rest) { continue }
                    switch change {
                    case .updated(let item):
                        if try transaction.ingest(item, isListed: isComplete) == nil {
                            // Before anybody can note that the folder was made.
                            if !isComplete { tidings.note(itemsOf: item.parent) }
                            rest.strays.append(item)
                        }
                    case .deleted(let identifier): try transaction.forget(identifier)
                    }
                }
                rest.isNews = try transaction.reader.lastTurn() != turn
                return rest
            }
            if more.isNews { didHearOfOthers() }
            rest.strays += more.strays
            rest.doubtful += more.doubtful
        }
        let lost = rest.strays
        try await tidings.asking { try await bringHomeOrOwe(lost, of: $0) }
        try await look(for: rest.doubtful)
        let anchor = Array(batch.anchor.rawValue)
        try await replica.write { try $0.set(anchor: anchor) }
    }

    /// What is told may be older than what was answered since it was asked for, or newer. The same is neither.
    private func isDoubtful(
        _ change: ChangeCollector.Batch.Change, _ question: Tidings.Question,
        _ reader: ReplicaReader, _ rest: inout Rest
    ) throws -> Bool {
        switch change {
        case .updated(let item):
            guard question.isDoubtful(item.identifier) else { return false }
            let node = try reader.node(identifier: item.identifier)
            if let node, node.trees.remote?.content == item.content,
                node.remoteMetadata == item.metadataVersion,
                node.remoteContentVersion == item.contentVersion
            {
                return false
            }
            rest.doubtful.append(item.identifier)
            return true
        case .deleted(let identifier):
            guard question.isDoubtful(identifier), try reader.id(of: identifier) != nil else {
                return false
            }
            rest.doubtful.append(identifier)
            return true
        }
    }

    /// Items whose folder nobody has told of: it moved while a listing went on, or nobody has ever looked
    /// there. A node that is known here has not gone because of that, so its folders are asked for, one by
    /// one up to one that is known.
    /// - Parameter isWanted: whether somebody needs them, also where nobody has looked yet.
    func bringHome(
        _ strays: [RemoteItem], of question: Tidings.Question, isWanted: Bool = false
    ) async throws {
        let isComplete = isComplete
        for stray in strays {
            let isKnown = try replica.read { try $0.id(of: stray.identifier) != nil }
            guard isComplete || isKnown || isWanted else { continue }
            var chain = [stray]
            while let top = chain.last?.parent, try replica.read({ try $0.id(of: top) == nil }) {
                guard !chain.contains(where: { $0.identifier == top }) else {
                    calls.note([.badItem("item \(top.rawValue) lies in itself")])
                    chain = []
                    break
                }
                do {
                    chain.append(try await item(top))
                } catch  where Reaction(error).isMissing {
                    // It went meanwhile, with everything in it: that is told, too.
                    chain = []
                }
            }
            let way = Array(chain.reversed())
            try await replica.write { transaction in
                for item in way where question.counts(for: item.identifier) {
                    if try transaction.ingest(item, isListed: isComplete) != nil {
                        question.settle(item.identifier)
                    }
                }
            }
        }
    }

    // MARK: Everything

    /// Enumerates all items, or goes on with that. Where a page has expired, all pages are told again; the anchor is
    /// still of before all of them, and what they have told is known to be there.
    func fill(_ enumerator: any NSFileProviderEnumerator) async throws {
        try await calls.fromFirstPage {
            do {
                try await goOn(filling: enumerator)
            } catch  where Reaction(error) == .anchorExpired {
                try await replica.write { try $0.set(page: nil) }
                throw error
            }
        }
    }

    private func goOn(filling enumerator: any NSFileProviderEnumerator) async throws {
        // Extensions' objects are called from any thread, as the API says.
        nonisolated(unsafe) let enumerator = enumerator
        let first = try replica.read { try $0.page() }.map { NSFileProviderPage(Data($0)) }
        var question = tidings.ask()
        var found = try await page(first ?? .first, of: enumerator)
        while let next = found.next {
            // While a page is being written, the next one is on its way.
            let following = tidings.ask()
            async let asked = page(next, of: enumerator)
            try await takeIn(found, of: question) { transaction in
                try transaction.set(page: Array(next.rawValue))
            }
            found = try await asked
            question = following
        }
        try await takeIn(found, of: question) { try $0.endFilling(isComplete: true) }
    }

    private func page(
        _ page: NSFileProviderPage, of enumerator: any NSFileProviderEnumerator
    ) async throws -> PageCollector.Page {
        try await PageCollector.page(
            of: enumerator, from: page, suggesting: Self.pageSize, calls)
    }

    /// - Parameter end: notes that it was taken in, with the last of it or after that.
    private func takeIn(
        _ found: PageCollector.Page, of question: Tidings.Question,
        end: @escaping @Sendable (ReplicaTransaction) throws -> Void
    ) async throws {
        let strays = try await takeIn(found.items, of: question, isListed: true, end: end)
        if strays.isEmpty, !found.items.isEmpty { return }
        try await bringHomeOrOwe(strays, of: question)
        try await replica.write(end)
    }

    /// - Parameter end: happens together with the last of it, if there is anything and no folder is missing.
    /// - Returns: those whose folder nobody knows.
    func takeIn(
        _ items: [RemoteItem], of question: Tidings.Question, isListed: Bool,
        end: @escaping @Sendable (ReplicaTransaction) throws -> Void = { _ in }
    ) async throws -> [RemoteItem] {
        var strays: [RemoteItem] = []
        let parts = Array(items.parts(of: Self.writeSize))
        for (index, part) in parts.enumerated() {
            let isEnd = index == parts.count - 1 && strays.isEmpty
            let rest = try await replica.write { transaction in
                var rest = Rest()
                let turn = try transaction.reader.lastTurn()
                let items = try part.filter { item in
                    try question.counts(for: item.identifier)
                        && !isDoubtful(.updated(item), question, transaction.reader, &rest)
                }
                var old: [NodeID] = []
                if question.isBeforeAllWasToldAnew {
                    // What was gone before all was told anew, nobody tells of: an answer from before that would bring it back.
                    for item in items {
                        let node = try transaction.reader.node(identifier: item.identifier)
                        if let node, node.trees.remote != nil {
                            old.append(node.id)
                        } else {
                            rest.doubtful.append(item.identifier)
                        }
                    }
                }
                rest.strays = try transaction.asUnseen(old) {
                    try transaction.ingest(items, isListed: isListed)
                }
                let away = Set(rest.strays.map(\.identifier))
                for item in items where !away.contains(item.identifier) {
                    question.settle(item.identifier)
                }
                if isEnd, rest.strays.isEmpty { try end(transaction) }
                rest.isNews = try transaction.reader.lastTurn() != turn
                return rest
            }
            if rest.isNews { didHearOfOthers() }
            strays += rest.strays
            try await look(for: rest.doubtful)
        }
        return strays
    }

    func item(_ identifier: NSFileProviderItemIdentifier) async throws -> RemoteItem {
        try await calls.item(identifier, replica.request(isSystemRequest: true))
    }

    /// Lists every folder that was listed before.
    private func listAgain() async throws {
        while let folder = try replica.read({ try $0.nextFolderToList() }) {
            // What is known of one that cannot be listed stays: it is asked for by its name.
            let isListed = try await isDone { try await list(folder) }
            try await replica.write { try $0.passFolder(folder, isListed: isListed) }
        }
        try await replica.write { try $0.endFilling(isComplete: false) }
    }

    /// Takes in what lies in a folder. It counts as listed only when the last of it was told.
    func list(_ folder: NodeID) async throws {
        let node = try replica.read { try $0.node(folder) }
        guard let identifier = node?.identifier, node?.trees.remote != nil else {
            // What the provider does not have holds nothing but what is here.
            return try await replica.write { try $0.setListed(folder) }
        }
        let known = try replica.read { try $0.itemsThere(in: folder) }
        let told = Mutex<Set<NSFileProviderItemIdentifier>>([])
        do {
            try await calls.fromFirstPage {
                try await walk(over: identifier) { items in
                    if known.isEmpty { return }
                    told.withLock { $0.formUnion(items.map(\.identifier)) }
                }
            }
        } catch  where Reaction(error).isMissing {
            if try await isMissing(identifier) {
                return try await replica.write { try $0.forget(identifier) }
            }
            throw error
        } catch  where folder == .trash && Reaction(error) == .unsupported {
            // A provider without a trash.
        }
        // While nobody had it listed, nobody was told what went from it.
        let untold = told.withLock { told in known.filter { !told.contains($0.value) } }
        try await removeGone(untold.keys.sorted())
        try await replica.write { try $0.setListed(folder) }
    }

    /// - Parameter note: is called with what a page has told.
    private func walk(
        over folder: NSFileProviderItemIdentifier, note: ([RemoteItem]) -> Void
    ) async throws {
        let enumerator = try provider.enumerator(for: folder, request: replica.request())
        defer { enumerator.invalidate() }
        var page: NSFileProviderPage? = .first
        while let present = page {
            page = try await tidings.asking { question in
                let found = try await PageCollector.page(
                    of: enumerator, from: present, suggesting: Self.pageSize, calls)
                _ = try await takeIn(found.items, of: question, isListed: false)
                note(found.items)
                return found.next
            }
        }
    }
}

extension NSFileProviderPage {
    static var first: NSFileProviderPage {
        NSFileProviderPage(Data(referencing: NSFileProviderPage.initialPageSortedByName))
    }
}
