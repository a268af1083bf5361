/// Why bytes stay on a device that somebody wants to have the room of.
package enum ReasonToKeep: Sendable, Equatable {
    /// What was written here has not reached the provider yet.
    case unsynced
    /// The provider does not have it, and is not to.
    case onlyHere
    case inUse
    /// The device itself goes by what is in it.
    case rules
    /// They are to be here always.
    case pinned
}
