/// How far a call has come: while it stands still, it stays the same.
struct CallMovement: Equatable, Sendable {
    /// How often something was told, by calls that tell in parts.
    var told: UInt64
    var completed: Int64
    var total: Int64
    /// Counts what the children of a progress report, where they may be asked.
    var fraction: Double
}

extension CallMovement {
    /// Something has come, or was told.
    var hasBegun: Bool { told > 0 || completed > 0 || fraction > 0 }
}
