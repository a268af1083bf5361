import FileProvider
import FileProviderReplica
import Synchronization

/// What has been told of items while something else was being asked for. An answer that took its time may
/// be older than that: it must not bring back what is gone, nor how something was before.
///
/// Answers are as old as their questions. What the working set tells always counts, as it is told once: if it
/// is older than an answer, the newer state follows.
final class Tidings: Sendable {
    private struct Word {
        var number: UInt64
        var isGone: Bool
    }

    private struct State {
        /// The numbers of those that are being asked, in their order.
        var open: [UInt64] = []
        var count: UInt64 = 0
        /// The last word on each item that was told since the oldest of them was put, and some before that.
        var words: [NSFileProviderItemIdentifier: Word] = [:]
        /// So many words are worth looking for those that nobody needs.
        var mostWords = State.fewWords

        static let fewWords = 1000
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
                state.mostWords = State.fewWords
                return
            }
            guard state.words.count > state.mostWords else { return }
            state.words = state.words.filter { $0.value.number >= oldest }
            state.mostWords = max(State.fewWords, state.words.count * 2)
        }
    }

    /// Before it is written.
    func note(_ changes: [ChangeCollector.Batch.Change]) {
        state.withLock { state in
            guard !state.open.isEmpty else { return }
            state.count += 1
            for change in changes {
                switch change {
                case .updated(let item):
                    state.words[item.identifier] = Word(number: state.count, isGone: false)
                case .deleted(let identifier):
                    state.words[identifier] = Word(number: state.count, isGone: true)
                }
            }
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
                // Only questions that were put before this one could be answered with anything older.
                guard let oldest = state.open.first, oldest < number else { return }
                state.words[identifier] = Word(number: number, isGone: isGone)
            }
        }

        /// Whether it was said since then that an item is gone.
        func isBeforeTheEnd(of identifier: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { state in
                guard let last = state.words[identifier] else { return false }
                return last.isGone && last.number > number
            }
        }
    }
}
