import BasketModels

/// What must hold for a content to become an item's current one.
package enum ContentCondition: Sendable, Equatable {
    /// The writer does not care what was there.
    case any
    /// The writer had seen this version, and wants to be refused when there is another one.
    case base(Version)
    /// The same, but what was sent is kept as a conflict version instead of being refused.
    case baseOrKeep(Version)

    var base: Version? {
        switch self {
        case .any: nil
        case .base(let version), .baseOrKeep(let version): version
        }
    }
}
