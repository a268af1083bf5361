/// How long a server is left alone before it is asked whether it is there. Each time that it answered and a call
/// failed all the same soon afterwards, twice as long: whatever is wrong, it is not that it is not there.
struct ProbePauses: Sendable {
    private static let shortest = Duration.seconds(1)
    /// After so much time without trouble, the next one is another one.
    private static let memory = Duration.seconds(180)

    private var pause = Self.shortest
    private var answered: Duration?
    private let longest: Duration

    init(longest: Duration = .seconds(60)) {
        self.longest = longest
    }

    /// The pause before the next question.
    mutating func next(at now: Duration) -> Duration {
        if let answered, now - answered > Self.memory { pause = Self.shortest }
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// The server has answered.
    mutating func note(answerAt now: Duration) {
        answered = now
    }
}
