import BasketSupport
import FileProviderDaemon
import FileProviderHost

// What daemons and hosts say no with.
extension CommandFailure {
    init(_ error: ControlError) {
        let code: ExitCode =
            switch error.code {
            case .noSuchItem, .noSuchAction, .noSuchService, .noSuchOperation, .noSuchDomain:
                .notFound
            case .inUse, .unsent, .onlyHere, .pinned, .exists, .outdated: .conflict
            case .unreachable, .disconnected: .unreachable
            case .badField, .tooLong: .usage
            default: .failure
            }
        self.init(
            error.code.rawValue, "\(Words.shown(error.message))\n\(Words.shown(error.remedy))",
            exitCode: code)
    }

    init(_ error: ControlClient.Failure) {
        switch error {
        case .nobody:
            self.init(
                "no_daemon",
                "the daemon is not running.\nStart it: ‘systemctl --user start basket’, or ‘basket daemon &’.",
                exitCode: .unreachable)
        case .ended:
            self.init(
                "interrupted",
                "whoever was asked has ended before it had answered: what was asked may be done, or not.\n‘basket status’ says how things are; then ask again."
            )
        case .silent:
            self.init(
                "no_answer",
                "whoever was asked does not answer.\n‘basket doctor’ looks for what is wrong; ‘systemctl --user restart basket’ starts it anew.",
                exitCode: .unreachable)
        case .bad(let what):
            self.init(
                "bad_answer",
                "the answer cannot be understood: \(what).\nThe daemon may be of another version: start it anew."
            )
        }
    }

    init(unserved domain: HostedDomainState) {
        let why =
            switch domain.state {
            case .starting, .serving: "is only just being started.\nTry again in a moment."
            case .failing:
                "does not come up: \(domain.reason ?? "nobody knows why").\n‘basket doctor’ looks for what is wrong."
            case .disabled: "is switched off.\nSwitch it on: basket enable \(domain.name)"
            case .unreadable:
                "cannot be read here: \(domain.reason ?? "nobody knows why").\nNothing of it was touched."
            }
        self.init("not_served", "the domain ‘\(domain.name)’ \(why)", exitCode: .unreachable)
    }

    static var noDomains: CommandFailure {
        CommandFailure(
            "no_domains",
            "there are no domains here yet.\nConnect one: basket connect Work --server nas.local",
            exitCode: .notFound)
    }
}
