/// What came of a call that a node asked for.
enum CallOutcome {
    case done
    /// Nothing of the extension's was needed any more.
    case needless
    /// It is noted, and tried again later.
    case failed(any Error)
}
