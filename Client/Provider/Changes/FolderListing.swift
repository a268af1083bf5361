import BasketModels
import BasketSupport

/// What a folder holds, by name, and of which names something has been told since it was asked for.
struct FolderListing: Sendable {
    struct Child: Sendable {
        /// Nil where nothing has that name.
        let item: ItemInfo?
    }

    /// So much may be told while the folder is being listed.
    private static let mostNews = 10_000

    private static let shelfLife = Duration.seconds(10)

    let number: Int
    let folder: String
    /// When all of it was there. A large folder takes longer to list than a listing is kept, and what is told meanwhile
    /// is noted.
    private var filledAt: Duration?
    private let rule: CaseRule
    /// By what makes names the same in the domain; nil while it is being listed.
    private(set) var children: [[UInt8]: ItemInfo]?
    private var keys: [String: [UInt8]] = [:]
    private var toldKeys: Set<[UInt8]> = []
    /// Told of while it was being listed.
    private var toldItems: Set<String> = []
    /// Nothing in it is worth anything any more.
    private(set) var isVoid = false

    init(number: Int, folder: String, rule: CaseRule) {
        self.number = number
        self.folder = folder
        self.rule = rule
    }

    /// Nil where that has to be looked up anew.
    func child(_ key: [UInt8], of folder: String) -> Child? {
        guard self.folder == folder, let children, !isVoid, !toldKeys.contains(key) else {
            return nil
        }
        return Child(item: children[key])
    }

    /// Whether it is of no use any more. One that is on its way stays: somebody waits for it.
    func isOver(at now: Duration) -> Bool {
        guard let filledAt else { return false }
        return isVoid || now - filledAt > Self.shelfLife
    }

    mutating func fill(_ items: [ItemInfo], at now: Duration) {
        var children: [[UInt8]: ItemInfo] = [:]
        for item in items {
            let key = rule.collisionKey(of: item.name)
            children[key] = item
            keys[item.id] = key
            if toldItems.contains(item.id) { toldKeys.insert(key) }
        }
        self.children = children
        filledAt = now
        toldItems = []
    }

    mutating func note(_ item: ItemInfo) {
        note(deleted: item.id)
        if item.parent == folder { toldKeys.insert(rule.collisionKey(of: item.name)) }
    }

    mutating func note(deleted item: String) {
        guard !isVoid else { return }
        if children == nil {
            toldItems.insert(item)
            if toldItems.count > Self.mostNews { isVoid = true }
        } else if let key = keys[item] {
            toldKeys.insert(key)
        }
    }

    mutating func note(all folder: String?) {
        if folder == nil || folder == self.folder { isVoid = true }
    }
}
