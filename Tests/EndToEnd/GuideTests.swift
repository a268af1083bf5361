import BasketSupport
import Testing

extension EndToEnd {
    /// What people are told to type.
    @Suite("The README and the guide")
    struct GuideTests {
        @Test("tell what works, command by command", .timeLimit(.minutes(60)))
        func commands() throws {
            let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            let check = try ChildProcess(
                "/usr/bin/env", ["python3", "/\(root)/tools/check-guide", ServerProgram.path])

            let ending = check.wait(upTo: .seconds(200))

            #expect(ending == .exit(0), "\(check.errors.text)")
        }
    }
}
