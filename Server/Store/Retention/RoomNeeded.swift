/// Thrown by a transaction that would have to let go of more history than one transaction may: others
/// wait for the writer. The store undoes it, makes the room in steps, and does it again.
struct RoomNeeded: Error {
    let scope: RoomScope
    let bytes: Int64
}
