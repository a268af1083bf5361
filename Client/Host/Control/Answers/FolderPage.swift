/// Some of what lies in a folder.
package struct FolderPage: Codable, Sendable {
    /// The item that was asked about. In what is no folder lies nothing.
    package var item: ChildState
    /// Whether all that lies in it is known here; what is not, nobody is asked for.
    package var isListed: Bool
    /// By name, in the order of the names' bytes as the domain compares them.
    package var entries: [ChildState]
    /// Given as `after`, brings those that follow; nil when there are none.
    package var next: String?
}
