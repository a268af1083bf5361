import FileProvider
import FileProviderReplica
import Synchronization

/// What has been told of items while something else was being asked for. An answer that took its time may
/// be older than that: it must not bring back what is gone, nor how something was before.
///
/// Answers are as old as their questions. What the working set tells is told once, and must not be dropped: where
/// an answer came while it was on its way, nobody knows which of the two is the newer, and the item is asked for.
final class Tidings: Sendable {
    private struct Word {
        var number: UInt64
        var isGone: Bool
        /// When an answer that tells of the item was last taken in.
        var settled: UInt64 = 0
    }

    private struct State {
        /// The numbers of those that are being asked, in their order.
        var open: [UInt64] = []
        var count: UInt64 = 0
        /// When it was last begun to tell everything anew.
        var anew: UInt64 = 0
        /// The last word on each item that was told since the oldest of them was put, and some before that.
        var words: [NSFileProviderItemIdentifier: Word] = [:]
        /// Folders that nobody knew, and of whose items something was told since the oldest question was put.
        /// When there are very many, they may be any.
        var strangers: Set<NSFileProviderItemIdentifier> = []
        /// So many words are worth looking for those that nobody needs.
        var mostWords = State.fewWords

        static let fewWords = 1000
        static let mostStrangers = 1000
    }

    private let state = Mutex(State())

    /// Asks for something.
    /// - Parameter body: told when the question was put.
    func asking<Result>(_ body: (Question) async throws -> Result) async rethrows -> Result {
        try await body(ask())
    }

    /// Puts a question. It is being asked for as long as somebody holds it.
    func ask() -> Question {
        let number = state.withLock { state in
            state.count += 1
            state.open.append(state.count)
            return state.count
        }
        return Question(tidings: self, number: number)
    }

    private func end(_ number: UInt64) {
        state.withLock { state in
            state.open.removeAll { $0 == number }
            guard let oldest = state.open.first else {
                state.words = [:]
                state.strangers = []
                state.mostWords = State.fewWords
                return
            }
            guard state.words.count > state.mostWords else { return }
            state.words = state.words.filter { max($0.value.number, $0.value.settled) >= oldest }
            state.mostWords = max(State.fewWords, state.words.count * 2)
        }
    }

    /// Before it is written.
    func note(_ changes: [ChangeCollector.Batch.Change]) {
        state.withLock { state in
            guard !state.open.isEmpty else { return }
            state.count += 1
            for change in changes {
                let (identifier, isGone) =
                    switch change {
                    case .updated(let item): (item.identifier, false)
                    case .deleted(let identifier): (identifier, true)
                    }
                let settled = state.words[identifier]?.settled ?? 0
                state.words[identifier] = Word(
                    number: state.count, isGone: isGone, settled: settled)
            }
        }
    }

    /// Everything is told anew from here on, and nothing of what has gone until now.
    func noteAnew() {
        state.withLock { state in
            state.count += 1
            state.anew = state.count
        }
    }

    /// A content has come with another item than was known, before that is taken in: who asks for long for something
    /// else may be answered with what is older.
    func note(fetched identifier: NSFileProviderItemIdentifier) {
        state.withLock { state in
            guard !state.open.isEmpty else { return }
            state.count += 1
            var word = state.words[identifier] ?? Word(number: 0, isGone: false)
            word.settled = state.count
            state.words[identifier] = word
        }
    }

    /// Something was told of what lies in a folder that nobody knows, and is told no second time.
    func note(itemsOf stranger: NSFileProviderItemIdentifier) {
        state.withLock { state in
            guard !state.open.isEmpty, state.strangers.count < State.mostStrangers else { return }
            state.strangers.insert(stranger)
        }
    }

    final class Question: Sendable {
        private let tidings: Tidings
        private let number: UInt64

        fileprivate init(tidings: Tidings, number: UInt64) {
            self.tidings = tidings
            self.number = number
        }

        deinit {
            tidings.end(number)
        }

        /// Whether its answer counts for an item: nothing newer was told of that.
        func counts(for identifier: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { ($0.words[identifier]?.number ?? 0) <= number }
        }

        /// Its answer was taken in: it is the last word on an item.
        func settle(_ identifier: NSFileProviderItemIdentifier, isGone: Bool = false) {
            tidings.state.withLock { state in
                // Only those who ask at the same time could be answered with anything older.
                guard state.open.contains(where: { $0 != number }) else { return }
                state.count += 1
                state.words[identifier] = Word(
                    number: number, isGone: isGone, settled: state.count)
            }
        }

        /// Something else was answered that concerns an item: what else is known of it stays.
        func touch(_ identifier: NSFileProviderItemIdentifier) {
            tidings.state.withLock { state in
                guard state.open.contains(where: { $0 != number }) else { return }
                state.count += 1
                var word = state.words[identifier] ?? Word(number: number, isGone: false)
                word.number = max(word.number, number)
                word.settled = state.count
                state.words[identifier] = word
            }
        }

        /// Whether an answer that tells of an item was taken in since this was asked.
        func isDoubtful(_ identifier: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { ($0.words[identifier]?.settled ?? 0) > number }
        }

        /// Whether something in a folder may have been told when nobody knew that yet, and not be known here.
        func misses(itemsOf folder: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { state in
                state.strangers.contains(folder) || state.strangers.count >= State.mostStrangers
            }
        }

        /// Whether something may have gone since then of which nobody tells.
        var isBeforeAllWasToldAnew: Bool { tidings.state.withLock { $0.anew > number } }

        /// Whether it was said since then that an item is gone.
        func isBeforeTheEnd(of identifier: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { state in
                guard let last = state.words[identifier] else { return false }
                return last.isGone && last.number > number
            }
        }
    }
}
