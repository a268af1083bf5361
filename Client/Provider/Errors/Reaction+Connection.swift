import BasketConnection
import BasketModels

extension Reaction {
    /// What a failed call to the server means; nil for one that was cancelled.
    init?(_ error: ConnectionError) {
        switch error {
        case .cancelled: return nil
        case .unreachable: self = .waitForServer
        case .badAnswer, .file, .consumer: self = .tryAgain
        case .problem(let problem):
            if let known = Self.byCode[problem.code] {
                self = known
            } else {
                // Not the server's own word: a proxy's, or a portal's that wants its own log-in. A newer
                // server's codes say with their status whether it is the server that is in trouble.
                self =
                    problem.status >= 500 || problem.code == "http_\(problem.status)"
                    ? .waitForServer : .tryAgain
            }
        }
    }
}
