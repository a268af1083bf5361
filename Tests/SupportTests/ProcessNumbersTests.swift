import Testing

@testable import BasketSupport

@Suite("A process's numbers")
struct ProcessNumbersTests {
    @Test("are those of this process")
    func own() throws {
        let numbers = try #require(ProcessNumbers(LinuxFileSystem()))

        #expect(numbers.cpuTime > .zero)
        #expect(numbers.residentBytes > 1 << 20)
        #expect(numbers.openFiles >= 3)
    }

    @Test("are found behind any name", arguments: ["(a)", "(a b)", "(a) b)", "())"])
    func name(name: String) throws {
        let status = "7 \(name) S 1 2 3 4 5 6 7 8 9 10 150 50 0".split(separator: " ")

        let numbers = try #require(
            ProcessNumbers(status: status, memory: ["9", "2"], openFiles: 4))

        // A clock's tick is a hundredth of a second on Linux.
        #expect(numbers.cpuTime == .seconds(2))
        #expect(numbers.residentBytes == 2 * 4096)
    }

    @Test("are unknown when the kernel says something else")
    func unknown() {
        #expect(
            ProcessNumbers(status: ["7", "(a)", "S"], memory: ["9", "2"], openFiles: 4) == nil)
        #expect(ProcessNumbers(status: [], memory: [], openFiles: 0) == nil)
    }
}
