import BasketContent
import BasketDatabase

/// The answer to a change, as it is given: now, and again when the request is sent again.
package struct StoredAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

extension Store {
    /// Changes the store and answers; a request that was answered already is not done again.
    package func answer(
        _ identity: Identity, _ key: IdempotencyKey?,
        _ body: @escaping @Sendable (Transaction) throws -> StoredAnswer
    ) async throws -> StoredAnswer {
        try await write(as: identity) { transaction in
            guard let key else { return try body(transaction) }
            if let given = try transaction.db.givenAnswer(to: key, for: identity) { return given }
            let answer = try body(transaction)
            try transaction.keep(answer, to: key, for: identity)
            return answer
        }
    }
}

extension Connection {
    /// The answer that was given to this request before.
    package func givenAnswer(
        to key: IdempotencyKey, for identity: Identity
    ) throws -> StoredAnswer? {
        let given: (fingerprint: ContentHash, answer: StoredAnswer)? = try first(
            "SELECT fingerprint, status, body FROM idempotency WHERE account = ? AND key = ?",
            identity.account, key.key
        ) { row throws(SQLiteError) in
            (try row[0], StoredAnswer(status: try row[1], body: try row[2]))
        }
        guard let given else { return nil }
        guard given.fingerprint == key.fingerprint else { throw StoreError.idempotencyKeyReused }
        return given.answer
    }

    /// Whether a request with this key was answered, the same one or another.
    package func hasAnswered(_ key: String, for identity: Identity) throws -> Bool {
        try value(
            "SELECT 1 FROM idempotency WHERE account = ? AND key = ?", identity.account, key,
            of: Int64.self) != nil
    }
}

extension Transaction {
    /// An answer that was given under the key before makes room.
    func keep(
        _ answer: StoredAnswer, to key: IdempotencyKey, for identity: Identity
    ) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO idempotency (account, key, fingerprint, status, body, created)
            VALUES (?, ?, ?, ?, ?, ?)
            """, identity.account, key.key, key.fingerprint, answer.status, answer.body, now)
    }
}
