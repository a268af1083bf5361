/// An item by the name that its server has for it.
struct ServerItem: Sendable {
    let identifier: String
    /// In the domain, as it is here.
    let path: String
    let isFolder: Bool
}
