/// The server has said that it does not know a log-in.
struct Rejection {
    /// It may know it again: it was restored from an earlier copy, or a password was set back.
    private static let memory = Duration.seconds(60)

    let token: String
    let moment: Duration

    /// Whether that log-in is not asked with.
    func stands(for token: String, at now: Duration) -> Bool {
        token == self.token && now - moment < Self.memory
    }
}
