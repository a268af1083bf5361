import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

/// An error that stands in the way of everything: nobody can be reached, or nobody is logged in. While it stands, one
/// call now and then finds out whether it is over, and all the others are not made: there may be tens of thousands.
final class Outage: Sendable {
    private struct State {
        let failure: DomainHost.Failure
        /// When the next call may be made.
        var probe: Duration
    }

    private let state = Mutex<State?>(nil)
    private let ownFailures = OwnFailures()

    var isStanding: Bool { state.withLock { $0 != nil } }

    /// Whether it stands in the way of everything, as far as anybody knows.
    static func isOne(_ error: any Error) -> Bool {
        let code = NSFileProviderError(bridging: error)?.code
        return code == .notAuthenticated || code == .serverUnreachable
    }

    /// What becomes of calls that are still to be made, if it stands.
    func postponement(at now: Duration) -> Postponement? {
        state.withLock { state in
            state.map {
                Postponement(because: $0.failure.error, left: max(.zero, $0.probe - now))
            }
        }
    }

    /// - Parameters:
    ///   - now: by the clock that never is set.
    ///   - pause: until the next call may be made, if this one is.
    /// - Returns: why a call is not to be made, and until when; nil for one that may be.
    func standing(
        at now: Duration, pause: () -> Duration
    ) -> (error: any Error, left: Duration)? {
        state.withLock { state in
            guard let outage = state else { return nil }
            guard now >= outage.probe else { return (outage.failure.error, outage.probe - now) }
            state?.probe = now + pause()
            return nil
        }
    }

    /// A call has failed.
    /// - Parameters:
    ///   - id: for which it was made.
    ///   - pause: until the next one is made, where it is such an error.
    /// - Returns: the error that does not stand any more.
    func hear(
        _ error: any Error, of id: NodeID, at now: Duration, pause: () -> Duration
    ) -> (any Error)? {
        guard Self.isOne(error) else {
            // Of an error that is not the extension's, nobody knows whether it is an answer.
            return NSFileProviderError(bridging: error) == nil ? nil : noteAnswer(to: id)
        }
        guard ownFailures.noteFailure(of: id) || isStanding else { return nil }
        let outage = State(failure: DomainHost.Failure(error: error), probe: now + pause())
        state.withLock { $0 = outage }
        return nil
    }

    /// - Parameter id: what somebody was called for, with an answer; nil where it was for nothing alone.
    /// - Returns: the error that does not stand any more.
    func noteAnswer(to id: NodeID?) -> (any Error)? {
        ownFailures.noteAnswer(to: id)
        return end()
    }

    /// Somebody has answered, or knows that somebody would.
    /// - Returns: the error that does not stand any more.
    func end() -> (any Error)? {
        state.withLock { state in
            defer { state = nil }
            return state?.failure.error
        }
    }
}
