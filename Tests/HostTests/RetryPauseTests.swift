import Testing

@testable import FileProviderHost

@Suite("The pause after failures")
struct RetryPauseTests {
    private let pause = RetryPause(first: .seconds(1), longest: .seconds(300))

    @Test(
        "doubles up to the longest",
        arguments: [(0, 1), (1, 1), (2, 2), (5, 16), (9, 256), (10, 300), (100_000, 300)])
    func doubling(failures: Int, seconds: Int) {
        #expect(pause.after(failures: failures, jitter: 1) == .seconds(seconds))
    }

    @Test("is at least half of that", arguments: [0, 0.25, 1])
    func jitter(jitter: Double) {
        let found = pause.after(failures: 3, jitter: jitter)
        #expect(found == .seconds(2) + .seconds(2) * jitter)
    }
}
