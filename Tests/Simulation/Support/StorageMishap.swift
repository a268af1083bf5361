/// What may happen to what devices share.
enum StorageMishap: Sendable {
    /// It dies between two steps, and is back after a while.
    case dies
    /// So it does, and what was not durable is gone.
    case losesPower
    /// Its disk takes nothing more.
    case hasNoRoom
    case hasRoom
    /// Nothing more may be stored in it.
    case isLimited
    case isUnlimited
    /// Nothing is wrong with it any more.
    case recovers
}
