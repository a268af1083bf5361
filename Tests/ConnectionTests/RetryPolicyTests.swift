import BasketSupport
import Testing

@testable import BasketConnection

@Suite("The wait before another attempt")
struct RetryPolicyTests {
    private static let policy = RetryPolicy(
        shortestWait: .milliseconds(100), longestWait: .seconds(2))

    @Test("doubles up to the longest", arguments: [(1, 100), (2, 200), (3, 400), (9, 2000)])
    func doubles(failures: Int, milliseconds: Int) {
        let shortest = Self.policy.wait(afterFailures: failures, random: 0)
        let longest = Self.policy.wait(afterFailures: failures, random: .max)

        #expect(shortest == .milliseconds(milliseconds) / 2)
        #expect(longest > .milliseconds(milliseconds) * 0.99)
        #expect(longest <= .milliseconds(milliseconds))
    }

    @Test("knows no overflow")
    func manyFailures() {
        #expect(Self.policy.wait(afterFailures: 5000, random: .max) <= .seconds(2))
    }
}
