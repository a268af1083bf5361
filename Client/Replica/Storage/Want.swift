/// Whether a content that is not here is to be here, and why. Those that come first are fetched first.
package enum Want: Int, Sendable {
    case no
    /// Somebody has asked for it, or had what it was before.
    case asked
    /// It lies where all is kept here. Once that is not so any more, nobody wants it.
    case kept
}

extension StoredNode {
    /// The content is to be here as soon as there is time.
    package var isWanted: Bool {
        get { want != .no }
        set { want = newValue ? .asked : .no }
    }
}
