import BasketBlobs
import BasketDatabase
import BasketHTTP
import BasketStore
import BasketSupport

extension Problem {
    /// Any error as an answer. What is not the client's doing says no more than that.
    init(_ error: any Error, log: Log) {
        switch error {
        case let problem as Problem: self = problem
        case let error as StoreError: self = Problem(error)
        case let refusal as Authenticator.Refusal: self = Problem(refusal)
        case let error as HTTPBodyTooLarge: self = .bodyTooLarge(limit: error.limit)
        case let error as SQLiteError where error.isFull: self = .diskFull
        case let error as FileError where error.isOutOfSpace: self = .diskFull
        case BlobError.insufficientStorage: self = .diskFull
        case BlobError.file(let error) where error.isOutOfSpace: self = .diskFull
        case let failure as HTTPBodyFailure: self = Problem(failure)
        case is CancellationError: self = .stopping
        case let error as SQLiteError where error.isBusy || error.isInterrupted:
            self = .busy
        default:
            log.error("request failed", ["error": .text(String(describing: error))])
            self = Problem(500, "internal_error", "Something went wrong in the server.")
        }
    }

    init(_ refusal: Authenticator.Refusal) {
        switch refusal {
        case .wrongCredentials:
            self = Problem(401, "wrong_credentials", "Name, password or token are not right.")
                .with(
                    header: "WWW-Authenticate", "Bearer realm=\"Basket\", Basic realm=\"Basket\"")
        case .tooManyAttempts(let retryAfter):
            let seconds = max(1, retryAfter.components.seconds + 1)
            self = Problem(
                429, "too_many_attempts",
                "Too many attempts. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
            ).with(header: "Retry-After", "\(seconds)")
        }
    }

    private init(_ failure: HTTPBodyFailure) {
        switch failure {
        // Nobody is left to read it; the log tells it from what failed here.
        case .clientGone:
            self = Problem(400, "body_incomplete", "The body ended before its last byte.")
        // The connection says how slow is too slow, in place of this.
        case .tooSlow: self = Problem(408, "upload_too_slow", "The body came too slowly.")
        case .stopping: self = .stopping
        }
    }

    static let stopping = Problem(
        503, "stopping", "The server is stopping. Try again soon.")

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(413, "body_too_large", "The request's body is too large.")
            .with("limit", .number(Int64(limit)))
    }

    static let busy = Problem(503, "busy", "The server is busy. Try again soon.")
        .with(header: "Retry-After", "1")

    static let diskFull = Problem(
        507, "disk_full", "The server's disk is full.",
        detail:
            "Nothing was changed. What is there can be read, and deleting makes room within an hour."
    )

    static func badParameter(_ name: String, _ reason: String) -> Problem {
        Problem(400, "bad_parameter", "“\(name)” cannot be this.", detail: reason)
            .with(field: name)
    }
}
