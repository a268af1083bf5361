import BasketModels

/// Where the folders of a server's domain lie, as far as one has heard of them.
package struct DomainTree: Sendable {
    /// What the server calls the two that lie nowhere.
    static let root = "root"
    static let trash = "trash"
    /// Deeper than any tree is; a server's mistake must not keep anybody busy for ever.
    private static let deepest = 10_000

    private var places: [String: (parent: String, name: String)] = [:]

    package init() {}

    mutating func add(_ item: ItemInfo) {
        guard let parent = item.parent else { return }
        places[item.id] = (parent, item.name)
    }

    func knows(_ item: String) -> Bool {
        item == Self.root || item == Self.trash || places[item] != nil
    }

    /// From the root, or from the trash, down; nil where the way there is not known.
    package func path(of item: ItemInfo) -> String? {
        guard let parent = item.parent else { return "" }
        return path(of: parent).map { $0.isEmpty ? item.name : "\($0)/\(item.name)" }
    }

    func path(of item: String) -> String? {
        var names: [String] = []
        var current = item
        while current != Self.root, current != Self.trash {
            guard let place = places[current], names.count < Self.deepest else { return nil }
            names.append(place.name)
            current = place.parent
        }
        return names.reversed().joined(separator: "/")
    }

    /// Whether an item lies below a folder, or is it.
    package func lies(_ item: ItemInfo, below folder: String) -> Bool {
        if item.id == folder { return true }
        var current = item.parent
        for _ in 0..<Self.deepest {
            guard let here = current else { return false }
            if here == folder { return true }
            current = places[here]?.parent
        }
        return false
    }

    package func isInTrash(_ item: ItemInfo) -> Bool { lies(item, below: Self.trash) }
}
