/// What an operation does; each has a protocol of its own.
public enum NSFileProviderTestingOperationType: Int, Sendable {
    case ingestion = 0
    case lookup = 1
    case creation = 2
    case modification = 3
    case deletion = 4
    case contentFetch = 5
    case childrenEnumeration = 6
    case collisionResolution = 7
}
