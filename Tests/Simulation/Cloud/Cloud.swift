import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// The simplest storage that an extension could speak for: a tree in memory with versions, a log of what
/// changed, and conflict copies. It proves that the host knows no server.
final class Cloud: Sendable {
    struct Record: Sendable, Equatable {
        var id: String
        var parent: String
        var name: String
        var isFolder: Bool
        /// Where a symlink leads.
        var target: String?
        var content = ""
        var contentVersion = 0
        var metadataVersion = 0
        var tags: Data?
        /// What may be done with it; nil for everything.
        var rights: NSFileProviderItemCapabilities?
        /// Nil for a cloud that keeps no such thing.
        var details: Details?

        /// In the order in which they were made.
        var number: Int { Int(id.dropFirst(Cloud.prefix.count)) ?? 0 }
    }

    static let prefix = "item"

    struct State {
        var items: [String: Record] = [:]
        /// Which items changed, in order; each identifier once, at its last change.
        var log: [(rank: Int, id: String)] = []
        var rank = 0
        var numbers = 0
        /// What was made for a template, so that the same call makes nothing twice; and when that was asked for.
        var made: [String: (id: String, content: String, asked: Duration)] = [:]
        var observers: [@Sendable () -> Void] = []
        /// What was written over, for as long as it is kept.
        var former: [Record] = []
        /// Whether some items may only be read now and then.
        var takesRights = false
        /// Whether also what devices write over and delete is kept.
        var keepsFormer = false
        /// What became an item of its own because it lost a race, by whose content it was.
        var beside: [String: String] = [:]
        /// Which contents it has taken over what, and from whom: asked for once more, they are no news.
        var taken: Set<String> = []
        /// Those that nobody has asked for.
        var races: [Race] = []
        /// Which device wrote what an item holds.
        var writers: [String: String] = [:]
        /// So long are the names of pages.
        var pageLength = 0
        /// So long are its anchors.
        var anchorLength = 0
        let caseRule: CaseRule
        /// What was deleted.
        var gone: [Record] = []
    }

    let state: Mutex<State>
    /// What it says of its outermost folder, if anything.
    private let top = Mutex<Record?>(nil)
    /// Whether folders have to be listed before anybody knows what is in them.
    let isLazy: Bool
    /// Whether it keeps what people say of items besides their names and tags.
    let keepsDetails: Bool

    init(
        isLazy: Bool, takesRights: Bool = false, caseRule: CaseRule = .posix,
        keepsDetails: Bool = false
    ) {
        self.isLazy = isLazy
        self.keepsDetails = keepsDetails
        state = Mutex(State(takesRights: takesRights, caseRule: caseRule))
    }

    static let root = NSFileProviderItemIdentifier.rootContainer.rawValue
    static let trash = NSFileProviderItemIdentifier.trashContainer.rawValue

    /// Says of its outermost folder what such a name stands for.
    func nameTop(_ name: String) {
        top.withLock {
            $0 = Record(id: Self.root, parent: Self.root, name: name, isFolder: true)
        }
    }

    func record(_ id: String) -> Record? {
        id == Self.root ? top.withLock { $0 } : state.withLock { $0.items[id] }
    }

    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Changes the tree, then tells all devices.
    func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, observers) = try state.withLock { state in
            (try body(&state), state.observers)
        }
        for observer in observers { observer() }
        return result
    }

    /// Somebody else writes another text into everything of that name.
    func rewrite(_ name: String, _ text: String) {
        change { state in state.former += state.items.values.filter { $0.name == name } }
        edit(name) { record in
            record.content = text
            record.contentVersion += 1
        }
    }

    /// What devices write over, and what they delete, can be had by its version from now on.
    func keepFormer() {
        state.withLock { $0.keepsFormer = true }
    }

    /// Earlier contents are nowhere any more.
    func forgetFormer() {
        state.withLock { $0.former = [] }
    }

    /// Its pages have names of that length from now on.
    func namePages(withBytes length: Int) {
        state.withLock { $0.pageLength = length }
    }

    /// Its anchors have that length from now on.
    func nameAnchors(withBytes length: Int) {
        state.withLock { $0.anchorLength = length }
    }

    /// What is asked from later on.
    func anchor(_ rank: Int) -> NSFileProviderSyncAnchor {
        let digits = "\(rank)"
        let length = state.withLock { $0.anchorLength }
        let zeros = String(repeating: "0", count: max(0, length - digits.utf8.count))
        return NSFileProviderSyncAnchor(Data((zeros + digits).utf8))
    }

    /// Somebody else gives everything of that name another one.
    func rename(_ name: String, to other: String) {
        guard !name.hasSameBytes(as: other) else { return }
        edit(name) { record in
            record.name = other
            record.metadataVersion += 1
        }
    }

    /// Somebody else puts everything of that name into a folder.
    func move(_ name: String, into folder: String) {
        edit(name) { record in
            record.parent = folder
            record.metadataVersion += 1
        }
    }

    /// Somebody else says what may be done with everything of that name.
    func allow(_ rights: NSFileProviderItemCapabilities?, with name: String) {
        edit(name) { record in
            record.rights = rights
            record.metadataVersion += 1
        }
    }

    private func edit(_ name: String, _ body: (inout Record) -> Void) {
        change { state in
            for var record in Array(state.items.values) where record.name.hasSameBytes(as: name) {
                body(&record)
                state.items[record.id] = record
                state.touch(record.id)
            }
        }
    }

    /// Somebody else makes a file with that text, or a folder.
    /// - Returns: its identifier.
    @discardableResult
    func add(_ name: String, _ text: String?, in parent: String = Cloud.root) -> String {
        change { state in
            let id = state.newID()
            state.items[id] = Record(
                id: id, parent: parent, name: name, isFolder: text == nil, content: text ?? "",
                contentVersion: 1, metadataVersion: 1)
            state.touch(id)
            return id
        }
    }

    /// Nobody is told of the last change of an item.
    func forgetChange(of id: String) {
        state.withLock { state in state.log.removeAll { $0.id == id } }
    }

    /// Somebody else deletes everything of that name.
    func remove(_ name: String) {
        change { state in
            for record in Array(state.items.values) where record.name == name {
                state.items[record.id] = nil
                state.touch(record.id)
            }
        }
    }

    /// Whether somebody has ever asked for something new with that in it.
    func wasMade(of text: String) -> Bool {
        state.withLock { $0.made.values.contains { $0.content == text } }
    }

    func knows(_ name: String, in folder: String) -> Bool {
        state.withLock { $0.child(name, of: folder) != nil }
    }

    /// How many contents something of that name has had.
    func versions(of name: String) -> Int? {
        state.withLock { $0.items.values.first { $0.name == name }?.contentVersion }
    }

    func tags(of name: String) -> [UInt8]? {
        state.withLock { state in
            state.items.values.first { $0.name == name }?.tags.map(Array.init)
        }
    }

    /// All paths with what lies there.
    func tree() -> [String: String] {
        paths().mapValues { item in
            item.isFolder
                ? "/" : item.target.map { "→ " + $0 } ?? Passage.text(of: Array(item.content.utf8))
        }
    }

    func paths() -> [String: Record] {
        state.withLock { state in
            var paths: [String: Record] = [:]
            for item in state.items.values {
                var path = item.name
                var (top, parent) = (item.id, item.parent)
                while let above = state.items[parent] {
                    path = above.name + "/" + path
                    (top, parent) = (above.id, above.parent)
                }
                paths[parent == Self.trash ? "trash:\(top) \(path)" : path] = item
            }
            return paths
        }
    }
}

extension Cloud.State {
    mutating func touch(_ id: String) {
        rank += 1
        log.removeAll { $0.id == id }
        log.append((rank, id))
        if takesRights, let record = items[id], record.number % 4 == 0 {
            items[id]?.rights = rank % 3 == 0 ? .allowsReading : nil
        }
    }

    func child(_ name: String, of parent: String) -> Cloud.Record? {
        if caseRule == .posix {
            return items.values.first { $0.parent == parent && $0.name.hasSameBytes(as: name) }
        }
        let key = caseRule.collisionKey(of: name)
        return items.values.filter {
            $0.parent == parent && caseRule.collisionKey(of: $0.name) == key
        }.min { $0.number < $1.number }
    }

    /// Whether a file there has such a text.
    func holds(_ content: String, in parent: String) -> Bool {
        items.values.contains { $0.parent == parent && $0.content == content && !$0.isFolder }
    }

    func isThere(_ folder: String) -> Bool {
        folder == Cloud.root || folder == Cloud.trash || items[folder]?.isFolder == true
    }

    func lies(_ id: String, below folder: String) -> Bool {
        var current = id
        while true {
            if current == folder { return true }
            guard let item = items[current] else { return false }
            current = item.parent
        }
    }

    func freeName(_ name: String, in parent: String, for id: String) -> String {
        guard let holder = child(name, of: parent), holder.id != id else { return name }
        let names = BouncedName(name)
        var index = 0
        while let other = child(names.candidate(index), of: parent), other.id != id { index += 1 }
        return names.candidate(index)
    }

    /// What lost a race becomes an item of its own: once, also when the same is asked for again, or what was on its
    /// way before comes late.
    mutating func keepBeside(_ item: Cloud.Record, content: String) {
        // What was written before may have arrived, though its answer has not.
        if holds(content, in: item.parent) { return }
        if copy(of: item.id, content: content) != nil { return }
        var copy = item
        copy.id = newID()
        copy.name = freeName(item.name + " (conflict)", in: item.parent, for: copy.id)
        copy.content = content
        copy.contentVersion = 1
        items[copy.id] = copy
        beside["\(item.id) \(content)"] = copy.id
        touch(copy.id)
    }

    /// What was kept of an item, wherever it lies by now.
    func copy(of item: String, content: String) -> Cloud.Record? {
        guard let id = beside["\(item) \(content)"], let copy = items[id],
            copy.content == content
        else { return nil }
        return copy
    }

    /// Whose answer was lost asks with what is newer than that, and cannot say so.
    mutating func noteRace(of item: Cloud.Record, content: String, device: String) {
        if writers[item.id] == device { return }
        let text = { (content: String) in Passage.text(of: Array(content.utf8)) }
        races.append(
            Race(
                name: item.name, lost: text(content), won: text(item.content), isMeant: true))
    }

    mutating func newID() -> String {
        numbers += 1
        return "\(Cloud.prefix)\(numbers)"
    }
}
