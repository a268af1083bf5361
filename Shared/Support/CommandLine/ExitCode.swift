/// What a program leaves to the script that called it. Stable and documented: codes are added,
/// never changed. 2 is what shells expect for wrong usage, 130 what they give for Ctrl-C.
package enum ExitCode: Int32, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 10
    case conflict = 11
    case unreachable = 12
    /// The account may not do this.
    case forbidden = 13
    /// A check found something wrong.
    case damaged = 14
    /// Done, but for something that could not be had.
    case incomplete = 15
    /// A service of this machine is needed, and does not run.
    case noService = 16
    case interrupted = 130

    /// What the help says of it.
    var meaning: String {
        switch self {
        case .success: "Done."
        case .failure: "It failed; the message says why."
        case .usage: "The command line or a setting was not understood."
        case .notFound: "What was named is not there."
        case .conflict: "What is there stands in the way."
        case .unreachable: "The server cannot be reached."
        case .forbidden: "The account may not do this."
        case .damaged: "Something is wrong with what is kept."
        case .incomplete: "Done, but something was lacking; the message says what."
        case .noService: "A service of this machine that it needs does not run."
        case .interrupted: "Ended by Ctrl-C."
        }
    }
}
