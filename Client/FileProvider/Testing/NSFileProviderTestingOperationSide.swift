/// A side of the synchronisation.
public enum NSFileProviderTestingOperationSide: UInt, Sendable {
    case disk = 0
    case fileProvider = 1
}
