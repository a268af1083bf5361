import Testing

extension EndToEnd {
    /// What takes too long for every change, or programs that few machines have. `make trials` has them run.
    @Suite("At length", .enabled(if: Trial.isWanted), .timeLimit(.minutes(240)))
    enum Trials {}
}
