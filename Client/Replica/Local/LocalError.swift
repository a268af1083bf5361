import BasketSupport

/// Why something cannot be done in the local tree, as a file system would say it.
package enum LocalError: Error, Equatable {
    case notFound
    case exists(NodeID)
    case notEmpty
    case notAFolder
    case isAFolder
    /// A folder cannot be moved to below itself.
    case intoItself
    case badName(NameProblem)
    /// Root and trash are for ever.
    case permanent
    /// The bytes are not here.
    case dataless
    /// Somebody who has opened a file for reading wants to change it.
    case notForWriting
    /// The provider does not allow that to be done with this item.
    case notAllowed(NodeID)
    /// There is no room for bytes that are to come here.
    case noRoom
    /// So much cannot be noted at an item.
    case tooManyAttributes
    /// It is not known yet what is in the folder.
    case unlisted
    /// The bytes that somebody has begun to read are nowhere any more; opened again, there are others.
    case stale
}
