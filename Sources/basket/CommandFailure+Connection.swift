import BasketConnection
import BasketModels
import BasketSupport

extension CommandFailure {
    /// What came of asking a server.
    init(_ error: ConnectionError, at address: String) {
        switch error {
        case .unreachable:
            self.init("unreachable", "\(address): \(error.message)", exitCode: .unreachable)
        case .problem(let problem):
            let code: ExitCode =
                switch problem.status {
                case 401, 403: .forbidden
                case 404: .notFound
                case 409: .conflict
                default: .failure
                }
            self.init(problem.code, error.message, exitCode: code)
        case .cancelled: self.init("cancelled", error.message, exitCode: .interrupted)
        default: self.init("failure", "\(address): \(error.message)")
        }
    }
}
