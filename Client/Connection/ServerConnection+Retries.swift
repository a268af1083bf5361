import BasketModels
import BasketSupport

extension ServerConnection {
    /// Has `body` done again while its failures may pass, within the retry policy.
    /// - Parameter progress: what grows while `body` gets further. An attempt that got further is no
    ///   failure in a row: a large transfer survives any number of breaks.
    func retrying<Result>(
        _ call: APICall, progress: (() -> Int64)? = nil,
        _ body: () async throws -> Result
    ) async throws(ConnectionError) -> Result {
        var start = world.uptime()
        var failures = 0
        var reached = progress?() ?? 0
        while true {
            do {
                return try await body()
            } catch {
                let error = ConnectionError(erased: error)
                guard call.isRepeatable, let wish = Self.passes(error) else { throw error }
                if let progress, progress() > reached {
                    reached = progress()
                    failures = 0
                    start = world.uptime()
                }
                failures += 1
                let wait = max(
                    wish, retries.wait(afterFailures: failures, random: world.randomUInt64()))
                guard failures < retries.mostAttempts,
                    world.uptime() - start + wait <= retries.time
                else { throw error }
                do {
                    try await world.sleep(wait)
                } catch {
                    throw .cancelled
                }
            }
        }
    }

    /// Whether a failure may be none the next time, and how long the server wants to be left alone.
    private static func passes(_ error: ConnectionError) -> Duration? {
        switch error {
        case .unreachable(.timedOut), .unreachable(.stalled), .unreachable(.broken): return .zero
        case .problem(let problem):
            switch problem.status {
            // What came too slowly is no reason to give up: lines have better minutes.
            case 408, 502, 503, 504: return .seconds(problem.retryAfterSeconds ?? 0)
            case 429: return problem.retryAfterSeconds.map { .seconds($0) }
            default: return nil
            }
        default: return nil
        }
    }
}
