import FileProviderReplica
import Synchronization

/// Knows what fails as if nobody could be reached, while others are answered: that says nothing of these.
final class OwnFailures: Sendable {
    private struct Failures {
        /// How often it has failed after others were answered, and how many answers there were the last time.
        var count = 0
        var answers: UInt64
    }

    private struct State {
        var answers: UInt64 = 0
        var known: [NodeID: Failures] = [:]
    }

    private static let mostFailures = 3
    /// Of so many nodes, it is remembered.
    private static let mostKnown = 1000

    private let state = Mutex(State())

    /// - Parameter id: what somebody was called for, with an answer; nil where it was for nothing alone.
    func noteAnswer(to id: NodeID?) {
        state.withLock { state in
            state.answers += 1
            if let id { state.known[id] = nil }
        }
    }

    /// - Returns: whether the failure may be one of others as well.
    func noteFailure(of id: NodeID) -> Bool {
        state.withLock { state in
            var failures = state.known[id] ?? Failures(answers: state.answers)
            if failures.answers != state.answers { failures.count += 1 }
            failures.answers = state.answers
            if state.known.count >= Self.mostKnown { state.known = [:] }
            state.known[id] = failures
            return failures.count < Self.mostFailures
        }
    }
}
