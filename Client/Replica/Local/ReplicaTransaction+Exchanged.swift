import BasketDatabase

// What is undone where it is done twice, and may be asked for twice: by a kernel whose question was not answered.
extension ReplicaReader {
    /// Who has whose name since a question was answered, or was about to be: the two in the order in which it would name
    /// them now; nil for one that has exchanged nothing.
    package func namesExchanged(by question: UInt64) throws -> [NodeID]? {
        try db.first(
            "SELECT other, one FROM exchanged WHERE question = ? ORDER BY number DESC LIMIT 1",
            Int64(bitPattern: question)
        ) { row throws(SQLiteError) in [try row[0], try row[1]] }
    }
}

extension ReplicaTransaction {
    /// More are never asked at once.
    private static let exchangesKept = 64

    package func note(exchanged one: NodeID, _ other: NodeID, askedBy question: UInt64) throws {
        try db.run(
            "INSERT INTO exchanged (question, one, other) VALUES (?, ?, ?)",
            Int64(bitPattern: question), one, other)
        try db.run(
            "DELETE FROM exchanged WHERE number <= (SELECT max(number) FROM exchanged) - ?",
            Self.exchangesKept)
    }
}
