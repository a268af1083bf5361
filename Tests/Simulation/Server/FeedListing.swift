import BasketModels

/// What the feed of a domain has told up to an anchor.
struct FeedListing: Sendable {
    struct Place: Sendable, Equatable {
        let parent: String?
        let name: String
        let kind: ItemKind
        let content: Version
        let metadata: Version
    }

    /// Of whom.
    let device: String
    var anchor: String?
    var places: [String: Place] = [:]
    /// What was told in an order in which nobody can take it in.
    var disorder: [String] = []

    init(device: String) {
        self.device = device
    }

    mutating func take(_ page: ChangePage) {
        for item in page.items {
            if item.deleted != nil {
                places[item.id] = nil
                continue
            }
            if let parent = item.parent, parent != "root", parent != "trash",
                places[parent] == nil
            {
                disorder.append("\(item.name) was told before the folder that it lies in")
            }
            places[item.id] = Place(
                parent: item.parent, name: item.name, kind: item.kind,
                content: item.contentVersion, metadata: item.metadataVersion)
        }
        anchor = page.anchor
    }
}
