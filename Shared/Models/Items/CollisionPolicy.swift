/// What to do when the name is taken.
package enum CollisionPolicy: String, Sendable, DecodableWord {
    /// Refuse, and say who has it.
    case fail
    /// Take the item that is there, when it is of the same kind.
    case merge
    /// Take the next free name: `photo 2.jpg`.
    case rename
}
