/// The one place where a database is changed. Each call is a transaction of its own: it happens as
/// a whole or not at all, and its result is given only after it is durable. A body may run more than
/// once before that, so it must do nothing but change the database.
package protocol DatabaseWriter: Sendable {
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result
    /// The same, but that it may be answered before it is on the disk. It gets there with the next one that is written
    /// otherwise, and not without all that was written before.
    func writeSoon<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result
    /// The same as `write`, but before everybody who waits, and in a commit that holds nothing else: where there is room
    /// for little, others neither take it nor make this one fail with them.
    func writeAlone<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result
    /// Whether anything is ever answered before it is on the disk.
    var answersEarly: Bool { get }
    /// Nobody has anything to write for now. What is in memory only to be quicker the next time goes, and the log begins anew:
    /// a start after a crash has less to read, and a disk that fills up leaves the log the room that it has.
    func rest()
    /// Ends after what was asked for before. What comes later is cancelled.
    func stop()
}

extension DatabaseWriter {
    package var answersEarly: Bool { false }

    package func rest() {}

    package func writeSoon<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await write(body)
    }

    package func writeAlone<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await write(body)
    }
}
