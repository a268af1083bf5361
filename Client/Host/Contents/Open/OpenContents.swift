import BasketDatabase
import BasketSupport
import FileProviderReplica
import Synchronization

/// The contents that programs have open, by node.
final class OpenContents: Sendable {
    private let replica: Replica
    private let world: World
    private let settings: HostSettings
    private let contents = Mutex<[NodeID: [OpenContent]]>([:])
    /// Those for which a file of their own is being named, by that: others can find it in the replica already.
    private let beginning = Mutex<[Int64: OpenContent]>([:])
    /// Those of which the replica could not be told what was written, when they were closed.
    private let unnoted = Mutex<[OpenContent]>([])
    private let gates = NodeGates()
    private let lastNumber = Atomic<UInt64>(0)
    /// Who hears that two nodes have each other's bytes.
    private let observer = Mutex<(@Sendable (NodeID, NodeID) -> Void)?>(nil)
    /// When files were last opened, as long as the replica does not know.
    private let uses = Mutex<[NodeID: Timestamp]>([:])

    init(replica: Replica, world: World, settings: HostSettings) {
        self.replica = replica
        self.world = world
        self.settings = settings
    }

    // MARK: Opening

    /// What a file holds now, for somebody who gives it back.
    func open(_ id: NodeID, isWriter: Bool) async throws -> OpenContent {
        try await gates.enter(id) { try openNow(id, isWriter: isWriter) }
    }

    private func openNow(_ id: NodeID, isWriter: Bool) throws -> OpenContent {
        var attempts = 0
        while true {
            let content = add(id, try seen(id), isWriter: isWriter)
            do {
                let isLast = attempts == Self.mostAttempts
                // What was seen may be older than what others who have it open show by now.
                let isOurs = try isLast || isAlone(content) || shows(content, seen(id))
                if try isOurs && (content.refresh() || isLast) { return content }
                // Somebody has begun to write it anew just now.
                attempts += 1
                forget(content, isWriter: isWriter)
            } catch {
                forget(content, isWriter: isWriter)
                throw error
            }
        }
    }

    private func seen(_ id: NodeID) throws -> SeenContent {
        try replica.read { reader in
            if let content = try reader.content(of: id) { return content }
            throw try reader.node(id)?.trees.local == nil
                ? LocalError.notFound : LocalError.isAFolder
        }
    }

    private static let mostAttempts = 8

    /// Whether nobody has anything else open of its node.
    private func isAlone(_ content: OpenContent) -> Bool {
        all(of: content.node).allSatisfy { $0 === content }
    }

    /// Whether a content is what was seen of its node, or is becoming that.
    private func shows(_ content: OpenContent, _ seen: SeenContent) -> Bool {
        seen.file.map { file in beginning.withLock { $0[file] } === content } ?? false
            || content.shows(seen)
    }

    /// Whether whoever opens a content's node now reads the same.
    func isCurrent(_ content: OpenContent) -> Bool {
        for _ in 0..<Self.mostAttempts {
            let generation = content.state.withLock { $0.generation }
            guard let now = try? replica.read({ try $0.content(of: content.node) }) else {
                return false
            }
            if shows(content, now) { return true }
            // What it shows has changed since the replica was asked.
            if content.state.withLock({ $0.generation }) == generation { return false }
        }
        return false
    }

    /// Somebody has a content open from now on, until it is forgotten or closed.
    private func add(_ id: NodeID, _ seen: SeenContent, isWriter: Bool) -> OpenContent {
        add(id, isWriter: isWriter) { contents in
            // First of all what is being named: where it is not that, it shows it already.
            seen.file.flatMap { file in beginning.withLock { $0[file] } }
                ?? contents.last { $0.shows(seen) }
                ?? OpenContent(id, seen, number: nextNumber(), replica: replica)
        }
    }

    /// The same of a file that was made just now: whatever else is open of its node, this is not that.
    /// - Parameter begun: its file, where it has one, which is written to as it is.
    func addMade(_ id: NodeID, _ seen: SeenContent, begun: BegunFile?) -> OpenContent {
        add(id, isWriter: true) { _ in
            OpenContent(id, seen, begun: begun, number: nextNumber(), replica: replica)
        }
    }

    private func add(
        _ id: NodeID, isWriter: Bool, _ choose: ([OpenContent]) -> OpenContent
    ) -> OpenContent {
        let now = world.uptime()
        return contents.withLock { contents in
            let content = choose(contents[id, default: []])
            let isKnown =
                content.node != id || contents[id, default: []].contains { $0 === content }
            if !isKnown { contents[id, default: []].append(content) }
            content.state.withLock { state in
                state.users += 1
                guard isWriter else { return }
                state.writers += 1
                state.written = now
                if state.unsentSince == nil { state.unsentSince = now }
            }
            return content
        }
    }

    /// Somebody who was given a file that another one has open has it open, too.
    /// - Returns: false where nobody has it open any more.
    func addUser(of content: OpenContent, isWriter: Bool) -> Bool {
        contents.withLock { contents in
            guard contents[content.node]?.contains(where: { $0 === content }) == true else {
                return false
            }
            content.state.withLock { state in
                state.users += 1
                if isWriter { state.writers += 1 }
            }
            return true
        }
    }

    private func nextNumber() -> UInt64 {
        lastNumber.add(1, ordering: .relaxed).newValue
    }

    /// - Returns: whether it can be sent now, and who waits for that does not know.
    func close(_ content: OpenContent, isWriter: Bool) async throws -> Bool {
        let isLast =
            isWriter
            && content.state.withLock { state in
                state.writers -= 1
                return state.writers == 0
            }
        guard isLast else {
            forget(content, isWriter: false)
            return false
        }
        do {
            let isKnown = try await content.finish(.close)
            forget(content, isWriter: false)
            return !isKnown
        } catch {
            // What is known of it is not given up before the replica knows: whoever opens it meanwhile reads what was written.
            unnoted.withLock { $0.append(content) }
            throw error
        }
    }

    /// Whether there is something that it could not be told.
    var hasUnnoted: Bool { unnoted.withLock { !$0.isEmpty } }

    /// Tells the replica what was written to files that were closed when it could not be told, as on a full disk.
    /// - Returns: which can be sent now.
    func noteClosed() async -> [NodeID] {
        let waiting = unnoted.withLock { contents in
            defer { contents = [] }
            return contents
        }
        var noted: [NodeID] = []
        for content in waiting {
            do {
                // Who writes to it once more notes all of it.
                let isWritten = content.state.withLock { $0.writers > 0 }
                if !isWritten { try await content.finish(.close) }
                noted.append(content.node)
            } catch let error as SQLiteError where error.isFull {
                unnoted.withLock { $0.append(content) }
                continue
            } catch {
                // It is among what was interrupted, and is looked after as that.
                world.log.warning(
                    "what was written cannot be taken in", ["error": .text("\(error)")])
            }
            forget(content, isWriter: false)
        }
        return noted
    }

    func forget(_ content: OpenContent, isWriter: Bool) {
        let isUnused = contents.withLock { contents in
            let isUnused = content.state.withLock { state in
                state.users -= 1
                if isWriter { state.writers -= 1 }
                return state.users == 0
            }
            guard isUnused else { return false }
            let id = content.node
            contents[id]?.removeAll { $0 === content }
            if contents[id]?.isEmpty == true { contents[id] = nil }
            return true
        }
        // Nobody finds it any more: the disk keeps nobody else waiting.
        if isUnused { content.discard() }
    }

    /// A file was opened: it is used.
    func noteUse(of id: NodeID) {
        let now = world.now()
        uses.withLock { $0[id] = now }
    }

    /// Gives up what is known of uses, for the replica to note it.
    func takeUses() -> [NodeID: Timestamp] {
        uses.withLock { uses in
            defer { uses = [:] }
            return uses
        }
    }

    /// It could not be noted.
    func giveBack(_ uses: [NodeID: Timestamp]) {
        self.uses.withLock { $0.merge(uses) { newer, _ in newer } }
    }

    // MARK: What is open

    func isOpen(_ id: NodeID) -> Bool {
        contents.withLock { $0[id] != nil }
    }

    private func all(of id: NodeID) -> [OpenContent] {
        contents.withLock { $0[id] ?? [] }
    }

    /// What a node holds now, if anybody has that open.
    func current(_ id: NodeID) -> OpenContent? {
        all(of: id).last { !$0.state.withLock { $0.isRemoved } }
    }

    /// How many bytes lie here for those alone who have them open.
    var bytesBesides: Int64 {
        contents.withLock { contents in
            contents.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytesBesides } }
        }
    }

    /// Whether a file is being written to, and nobody knows what it will be.
    func isBeingWritten(_ id: NodeID) -> Bool {
        let now = world.uptime()
        return all(of: id).contains { !isQuiet($0, at: now) }
    }

    /// How long it is until the first file that is being written is sent as it is; nil when there is none.
    func untilQuiet() -> Duration? {
        let now = world.uptime()
        let unsent = contents.withLock { $0.values.flatMap(\.self) }
        return unsent.compactMap { dueTime(of: $0) }.min().map { max(.zero, $0 - now) }
    }

    /// Files that are being written, and may be sent as they are now.
    func quiet() -> [OpenContent] {
        let now = world.uptime()
        return contents.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
            .filter { dueTime(of: $0) != nil && isQuiet($0, at: now) }
    }

    private func isQuiet(_ content: OpenContent, at now: Duration) -> Bool {
        dueTime(of: content).map { $0 <= now } ?? true
    }

    private func dueTime(of content: OpenContent) -> Duration? {
        content.state.withLock { state in
            guard state.writers > 0, !state.isRemoved, let since = state.unsentSince else {
                return nil
            }
            return min(state.written + settings.quietTime, since + settings.longestUnsent)
        }
    }

    // MARK: Changing

    /// Makes ready for writing.
    func begin(_ content: OpenContent, keepsBytes: Bool) async throws {
        let id = content.node
        var number: Int64?
        defer {
            if let number { beginning.withLock { $0[number] = nil } }
        }
        try await content.begin(keepsBytes: keepsBytes) { file in
            number = file
            beginning.withLock { $0[file] = content }
        } placed: { place in
            if place != id { move(content, to: place) }
        }
    }

    /// Does something while nobody writes to a file, and all that was written is known. Who begins to write just then
    /// notes that in a transaction of its own.
    func sealed<Result>(
        _ id: NodeID, _ body: () async throws -> Result
    ) async throws -> Result {
        let written = all(of: id).filter { content in
            content.state.withLock { $0.isWriting && !$0.isRemoved }
        }
        return try await sealed(inOrder(written)[...], body)
    }

    private func sealed<Result>(
        _ contents: ArraySlice<OpenContent>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let first = contents.first else { return try await body() }
        return try await first.sealed { try await sealed(contents.dropFirst(), body) }
    }

    /// Does something that may remove what some nodes hold, or give it to other nodes, while nobody writes to it, or
    /// opens it.
    func alone<Result>(
        _ ids: [NodeID], _ body: () async throws -> Result
    ) async throws -> Result {
        try await gates.alone(ids) {
            let open = Set(ids).sorted().flatMap { all(of: $0) }
            return try await alone(inOrder(open)[...], body)
        }
    }

    /// In one order, whoever asks: not by their nodes, as one that waits for the second gate may have seen a content at
    /// another node than one that comes after it was moved.
    private func inOrder(_ contents: [OpenContent]) -> [OpenContent] {
        contents.sorted { $0.number < $1.number }
    }

    private func alone<Result>(
        _ contents: ArraySlice<OpenContent>, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let first = contents.first else { return try await body() }
        return try await first.gate.alone { try await alone(contents.dropFirst(), body) }
    }

    /// A node is no more: who has it open is alone with it.
    func remove(_ id: NodeID) {
        for content in all(of: id) { content.remove() }
    }

    /// Somebody hears from now on which two nodes have each other's bytes: at a moment at which nobody can open either,
    /// and before anybody is told of it.
    func observe(_ body: @escaping @Sendable (NodeID, NodeID) -> Void) {
        observer.withLock { $0 = body }
    }

    private func tell(_ one: NodeID, _ other: NodeID) {
        observer.withLock { $0 }?(one, other)
    }

    /// What one node held is another one's now, whose own is gone.
    func move(_ id: NodeID, to heir: NodeID) {
        remove(heir)
        tell(id, heir)
        for content in all(of: id) { move(content, to: heir) }
    }

    /// What a node held is another one's now, but for what somebody has begun to write in its place.
    func move(_ id: NodeID, to other: NodeID, but begun: OpenContent) {
        tell(id, other)
        for content in all(of: id) where content !== begun { move(content, to: other) }
    }

    /// Each of two nodes has what the other one held.
    func exchange(_ one: NodeID, _ other: NodeID) {
        tell(one, other)
        let (ones, others) = (all(of: one), all(of: other))
        for content in ones { move(content, to: other) }
        for content in others { move(content, to: one) }
    }

    private func move(_ content: OpenContent, to id: NodeID) {
        contents.withLock { contents in
            let old = content.node
            contents[old]?.removeAll { $0 === content }
            if contents[old]?.isEmpty == true { contents[old] = nil }
            contents[id, default: []].append(content)
            content.move(to: id)
        }
    }
}
