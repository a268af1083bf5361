/// One piece of a pattern with wildcards.
enum GlobElement: Equatable, Sendable {
    case scalar(Unicode.Scalar)
    /// Any one scalar, but no separator.
    case one
    /// One scalar of a set, but no separator.
    case set(ScalarSet)
    /// Any number of scalars, none of them a separator.
    case run
    /// Any number of whole components, each with the separator behind it.
    case components
    /// Something, whatever its separators: all that lies below a folder.
    case rest
}
