import BasketProvider
import Synchronization

/// A keyring that a test can lock, and look into.
final class MemoryKeyring: Keyring {
    private struct State {
        var entries: [KeyringEntry: String] = [:]
        var labels: [String] = []
        var trouble: KeyringTrouble?
        var keepsAndFails = false
        var questions = 0
    }

    private let state = Mutex(State())
    /// What happens while somebody asks for a secret.
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    var trouble: KeyringTrouble? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// It keeps what it is to keep, and nobody hears of it.
    var keepsAndFails: Bool {
        get { state.withLock { $0.keepsAndFails } }
        set { state.withLock { $0.keepsAndFails = newValue } }
    }

    var entries: [KeyringEntry: String] {
        get { state.withLock { $0.entries } }
        set { state.withLock { $0.entries = newValue } }
    }

    var labels: [String] { state.withLock { $0.labels } }
    var questions: Int { state.withLock { $0.questions } }

    func onNextQuestion(_ body: @escaping @Sendable () async throws -> Void) {
        meanwhile.withLock { $0 = body }
    }

    func secret(_ id: String) async throws(KeyringTrouble) -> String? {
        let body = meanwhile.withLock { body in
            defer { body = nil }
            return body
        }
        // The test says what is wrong with it.
        try? await body?()
        return try ask { state throws(KeyringTrouble) in
            state.entries.first { $0.key.id == id }?.value
        }
    }

    func keep(
        _ secret: String, as entry: KeyringEntry, label: String
    ) async throws(KeyringTrouble) {
        try ask { state throws(KeyringTrouble) in
            state.entries[entry] = secret
            state.labels.append(label)
            if state.keepsAndFails { throw .unreachable("it has ended") }
        }
    }

    func removeEntries(of file: String, besides id: String?) async throws(KeyringTrouble) {
        try ask { state throws(KeyringTrouble) in
            state.entries = state.entries.filter { $0.key.file != file || $0.key.id == id }
        }
    }

    private func ask<Answer: Sendable>(
        _ body: (inout State) throws(KeyringTrouble) -> Answer
    ) throws(KeyringTrouble) -> Answer {
        try state.withLock { state throws(KeyringTrouble) in
            state.questions += 1
            if let trouble = state.trouble { throw trouble }
            return try body(&state)
        }
    }
}
