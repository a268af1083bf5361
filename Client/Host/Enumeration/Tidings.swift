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
        var asking = 0
        var count: UInt64 = 0
        /// The last word on each item; empty while nothing is being asked for.
        var words: [NSFileProviderItemIdentifier: Word] = [:]
    }

    private let state = Mutex(State())

    /// Asks for something.
    /// - Parameter body: told when the question was put.
    func asking<Result>(_ body: (Question) async throws -> Result) async rethrows -> Result {
        let number = state.withLock { state in
            state.asking += 1
            state.count += 1
            return state.count
        }
        defer {
            state.withLock { state in
                state.asking -= 1
                if state.asking == 0 { state.words = [:] }
            }
        }
        return try await body(Question(tidings: self, number: number))
    }

    /// Before it is written.
    func note(_ changes: [ChangeCollector.Batch.Change]) {
        state.withLock { state in
            guard state.asking > 0 else { return }
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

    struct Question: Sendable {
        fileprivate let tidings: Tidings
        fileprivate let number: UInt64

        /// Whether its answer counts for an item: nothing newer was told of that.
        func counts(for identifier: NSFileProviderItemIdentifier) -> Bool {
            tidings.state.withLock { ($0.words[identifier]?.number ?? 0) <= number }
        }

        /// Its answer was taken in: it is the last word on an item.
        func settle(_ identifier: NSFileProviderItemIdentifier, isGone: Bool = false) {
            tidings.state.withLock { state in
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
