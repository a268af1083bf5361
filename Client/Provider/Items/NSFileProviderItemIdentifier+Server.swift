import FileProvider

extension NSFileProviderItemIdentifier {
    private static let root = "root"
    private static let trash = "trash"

    /// The item that the server calls so.
    init(server id: String) {
        switch id {
        case Self.root: self = .rootContainer
        case Self.trash: self = .trashContainer
        default: self.init(id)
        }
    }

    /// What the server calls the item.
    var serverID: String {
        switch self {
        case .rootContainer: Self.root
        case .trashContainer: Self.trash
        default: rawValue
        }
    }
}
