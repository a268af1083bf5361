import BasketConnection
import BasketModels

extension Reaction {
    /// What a failed call to the server means; nil for one that was cancelled.
    init?(_ error: ConnectionError) {
        switch error {
        case .cancelled: return nil
        case .unreachable, .otherServer: self = .waitForServer
        case .tooManyChunks: self = .giveUp
        case .badAnswer, .file, .consumer: self = .tryAgain
        case .problem(let problem):
            if let known = Self.byCode[problem.code] {
                self = known
            } else {
                self = Self.byStatus(problem)
            }
        }
    }

    /// What a portal or a proxy says that lets nobody through to the server.
    private static let closedDoors: Set = [401, 403, 404, 407, 408, 425, 429]

    /// Not the server's own word, or a newer server's. Of the first, a few statuses say that there is no way to
    /// the server; the others, that something is wrong with this very request. The second says with its
    /// status whether it is in trouble.
    private static func byStatus(_ problem: ServerProblem) -> Reaction {
        let isForeign = problem.code == "http_\(problem.status)"
        return problem.status >= 500 || isForeign && closedDoors.contains(problem.status)
            ? .waitForServer : .tryAgain
    }
}
