/// One numbered step of a schema. Steps are only ever added: a file tells how many it has.
package struct Migration: Sendable {
    package let name: String
    package let apply: @Sendable (Connection) throws -> Void

    package init(_ name: String, _ apply: @escaping @Sendable (Connection) throws -> Void) {
        self.name = name
        self.apply = apply
    }

    /// A step that is nothing but SQL.
    package init(_ name: String, sql: String) {
        self.init(name) { try $0.execute(sql) }
    }
}

extension Connection {
    /// How many steps the file has seen.
    package func schemaVersion() throws(SQLiteError) -> Int {
        try value("PRAGMA user_version") ?? 0
    }

    /// How many steps the file has seen; a file from the future is refused rather than guessed at.
    @discardableResult
    package func requireKnownSchema(_ steps: [Migration]) throws -> Int {
        let done = try schemaVersion()
        guard done <= steps.count else { throw NewerSchemaError(found: done, known: steps.count) }
        return done
    }

    /// Brings the file up to date. Step and count commit together, so that a crash repeats nothing.
    package func migrate(_ steps: [Migration]) throws {
        while try requireKnownSchema(steps) < steps.count {
            try transaction {
                // Again, now that nobody else can write: another process may have taken the step while
                // this one waited.
                let done = try requireKnownSchema(steps)
                guard done < steps.count else { return }
                try steps[done].apply(self)
                try execute("PRAGMA user_version = \(done + 1)")
            }
        }
    }
}
