import BasketSupport
import Glibc
import Testing

extension EndToEnd {
    /// Random calls, each of which is done in a folder of the disk as well. Tests/EndToEnd/Walk does them, and can be run by
    /// hand.
    @Suite(
        "A mounted domain beside a folder of the disk", .enabled(if: Laptop.isPossible),
        .serialized, .timeLimit(.minutes(30)))
    struct PosixWalkTests {
        /// What else happens meanwhile.
        enum Company: String, CaseIterable, Sendable {
            case nobody, evictions, otherClient, deaths

            func words(_ other: String) -> String {
                switch self {
                case .nobody: "--large"
                case .evictions: "--evict"
                case .otherClient: "--remote '\(other)'"
                case .deaths: "--kill 8 --race"
                }
            }
        }

        /// Which walks there are, and how long they are: a short one of each kind, or what the environment says.
        private static let seeds: [UInt64] = {
            if let one = number("BASKET_SEED") { return [one] }
            let first = number("BASKET_FIRST_SEED") ?? 3
            return Array(first..<first + (number("BASKET_SEEDS") ?? 1))
        }()
        /// Those that take longer, and depend on the moment, where somebody asks for seeds: in a soak.
        private static let companies: [Company] =
            number("BASKET_SEED") ?? number("BASKET_FIRST_SEED") == nil
            ? [.nobody, .evictions] : Company.allCases
        private static let steps = number("BASKET_STEPS") ?? 400

        private static func number(_ name: String) -> UInt64? {
            ProcessEnvironment.variables()[name].flatMap { UInt64($0) }
        }

        @Test(
            "says the same to random calls, and holds the same", arguments: companies, seeds)
        func isTheSame(company: Company, seed: UInt64) throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            let other = company == .otherClient ? try Laptop("other") : nil
            let there = try other?.connect("Work", to: server)
            let disk = try TemporaryFolder()

            let walk =
                "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Walk"
            let words = """
                --plain '\(disk.path)' --mount '\(folder)' --basket '\(laptop.program)' \
                --seed \(seed) --steps \(Self.steps) \(company.words(there ?? ""))
                """
            // What it has called last is all that somebody wants to read.
            let said = try laptop.shell(
                "timeout 600 python3 -B '\(walk)' \(words) 2>&1 || echo 'It ends with '$?.",
                in: "/", upTo: .seconds(700))

            guard !said.contains(" calls are the same") else { return }
            Issue.record(
                """
                BASKET_SEED=\(seed) BASKET_STEPS=\(Self.steps) swift test --disable-xctest \
                --filter PosixWalkTests
                \(company): \(said)
                """)
        }
    }
}
