import BasketDoctor
import BasketModels
import BasketSupport

/// `basket doctor`
enum DoctorCommand {
    static let command = Command(
        "doctor", summary: "Look for what is wrong, and say what to do about it.",
        details: """
            It looks at what mounts need, at the daemon, at each domain with its folder, its server and its log-in, and for \
            what was left behind. It changes nothing. A ✓ stands before what is well, a ! before what one should know, \
            a ✗ before what does not work. It ends with 0 when there is no ✗, with 14 when data is concerned, and with 1 \
            otherwise.
            """,
        examples: [
            Command.Example("basket doctor", "When something does not work."),
            Command.Example(
                "basket doctor --deep", "After a disk that was not well: every item is read."),
            Command.Example("basket doctor --json", "For a report, one finding a line."),
        ],
        options: [
            CommandOption(
                "deep",
                help:
                    "Hold all that is stored here of each domain against each other, and not only its databases."
            ),
            Options.json,
        ],
        exits: [.damaged], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let doctor = Doctor(
            places: try PersonalPlaces.find(), version: BasketVersion.current,
            isDeep: invocation.has("deep"), world: World.live(log: .silent))
        var verdicts: Set<Finding.Verdict> = []
        await doctor.examine { finding in
            verdicts.insert(finding.verdict)
            console.print(invocation.has("json") ? JSONText.line(finding) : text(of: finding))
        }
        if verdicts.contains(.damaged) { return .damaged }
        return verdicts.contains(.wrong) ? .failure : .success
    }

    private static func text(of finding: Finding) -> String {
        let mark =
            switch finding.verdict {
            case .fine: "✓"
            case .warning: "!"
            case .wrong, .damaged: "✗"
            }
        let remedy = finding.remedy.map { " \($0)" } ?? ""
        return "\(mark) \(Words.shown(finding.message + remedy))"
    }
}
