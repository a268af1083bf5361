/// What a node is. It stays that for as long as the node lives: a provider that says otherwise has put
/// something else in its place.
package enum NodeKind: Int, Sendable, CaseIterable {
    case file = 1
    case folder = 2
    case symlink = 3
}
