import BasketSupport
import FileProviderReplica

// What stands in the way of everything.
extension DomainHost {
    /// What has failed more often than that, while others were answered or not, says nothing of others any more.
    private static let mostAttempts = 3

    func probePause() -> Duration {
        RetryPause.jittered(ErrorApplication.probe, by: jitter())
    }

    /// - Parameter attempts: how often in a row the same has failed.
    func hear(_ error: any Error, attempts: Int) async throws {
        if attempts > Self.mostAttempts, Outage.isOne(error) { return }
        try await noteEnd(of: outage.hear(error, at: world.uptime(), pause: probePause))
    }

    func noteAnswer() async throws {
        try await noteEnd(of: outage.end())
    }

    /// What waited because of it need not wait until its time has come.
    private func noteEnd(of error: (any Error)?) async throws {
        if let error { try await resolve(error) }
    }
}
