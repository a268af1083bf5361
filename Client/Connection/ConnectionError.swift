import BasketContent
import BasketModels
import BasketSupport

/// Why a call to the server failed.
package enum ConnectionError: Error {
    case unreachable(UnreachableReason)
    /// The server answered, and said no.
    case problem(ServerProblem)
    /// The server answered something that this client cannot make sense of: what, in words.
    case badAnswer(String)
    /// There is no request that could name all of a file's chunks.
    case tooManyChunks(limit: Int)
    /// What answers is not the server that did until now, but calls itself this; or it was put back to an earlier
    /// state.
    case otherServer(String)
    /// A file of one's own cannot be read or written.
    case file(FileError)
    /// What the caller's own consumer threw.
    case consumer(any Error)
    case cancelled

    /// For people: what happened, then what to do about it. The wording may change.
    package var message: String {
        switch self {
        case .unreachable(let reason): reason.message
        case .problem(let problem):
            problem.detail.map { "\(problem.title) \($0)" } ?? problem.title
        case .badAnswer(let what):
            "The server's answer cannot be understood: \(what). Is it a Basket server?"
        case .tooManyChunks:
            "This file is too large to be kept on a server. Keep it somewhere else, or in parts."
        case .otherServer:
            "This is another server than before, or an earlier copy of it was restored. What is here is offered to it first."
        case .file(let error): "\(error)."
        case .consumer(let error): "\(error)"
        case .cancelled: "This was cancelled."
        }
    }

    /// The problem's code, when the server said no.
    package var code: String? {
        if case .problem(let problem) = self { problem.code } else { nil }
    }

    /// What came of a transfer that failed.
    init(_ error: TransportError) {
        switch error {
        case .cancelled: self = .cancelled
        case .consumer(let error as ConnectionError): self = error
        case .consumer(let error as FileError): self = .file(error)
        case .consumer(let error): self = .consumer(error)
        case .source(let error): self = .file(error)
        case .sourceTooShort: self = .badAnswer("the file became shorter while it was sent")
        case .notUnderstood(let what), .notSendable(let what): self = .badAnswer(what)
        case .nameNotFound(let what): self = .unreachable(.nameNotFound(what))
        case .refused: self = .unreachable(.refused)
        case .noRoute: self = .unreachable(.noRoute)
        case .notConnected(let what): self = .unreachable(.notConnected(what))
        case .connectTimedOut, .noAnswer: self = .unreachable(.timedOut)
        case .certificateNotPinned(let offered):
            self = .unreachable(.certificateNotPinned(offered: offered))
        case .certificateNotTrusted(let offered, let reason):
            self = .unreachable(.certificateNotTrusted(offered: offered, reason: reason))
        case .stalled: self = .unreachable(.stalled)
        case .broken(let what): self = .unreachable(.broken(what))
        }
    }

    /// The one kind of error that calls throw, out of what the standard library has erased.
    init(erased error: any Error) {
        switch error {
        case let error as ConnectionError: self = error
        case let error as TransportError: self.init(error)
        case let error as FileError: self = .file(error)
        case is CancellationError: self = .cancelled
        default: self = .consumer(error)
        }
    }
}
