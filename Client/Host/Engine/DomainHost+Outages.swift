import BasketSupport
import FileProviderReplica

// What stands in the way of everything.
extension DomainHost {
    func probePause() -> Duration {
        RetryPause.jittered(ErrorApplication.probe, by: jitter())
    }

    /// A call for a node has failed.
    func hear(_ error: any Error, of id: NodeID) async throws {
        try await noteEnd(of: outage.hear(error, of: id, at: world.uptime(), pause: probePause))
    }

    /// Somebody was answered, for a node or for nothing alone.
    func noteAnswer(to id: NodeID? = nil) async throws {
        try await noteEnd(of: outage.noteAnswer(to: id))
    }

    /// What waited because of it need not wait until its time has come.
    private func noteEnd(of error: (any Error)?) async throws {
        if let error { try await resolve(error) }
    }
}
