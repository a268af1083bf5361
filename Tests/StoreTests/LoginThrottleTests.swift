import BasketSupport
import Synchronization
import Testing

@testable import BasketStore

@Suite("The throttle of log-ins")
struct LoginThrottleTests {
    private func isRefused(
        _ throttle: LoginThrottle, _ account: String, from address: String = "192.0.2.1"
    ) -> Bool {
        do throws(Authenticator.Refusal) {
            try throttle.admit(account: account, address: address)
            return false
        } catch {
            return true
        }
    }

    private func throttle() -> LoginThrottle {
        LoginThrottle(uptime: { .seconds(10) }, network: { $0 })
    }

    @Test("remembers who is guessed at, however many other names are tried meanwhile")
    func flood() {
        let throttle = throttle()
        for index in 0..<120 { throttle.failed(account: "ann", address: "198.51.100.\(index)") }
        for index in 0..<60_000 {
            throttle.failed(account: "name \(index)", address: "address \(index)")
        }
        #expect(isRefused(throttle, "ann"))
        #expect(!isRefused(throttle, "bob"))
    }

    @Test("keeps a guesser out, and not the one who is guessed at")
    func lockOut() {
        let throttle = throttle()
        throttle.succeeded(account: "ann", address: "home")
        for index in 0..<1000 { throttle.failed(account: "ann", address: "net \(index % 7)") }
        #expect(isRefused(throttle, "ann", from: "net 3"))
        #expect(isRefused(throttle, "ann", from: "somewhere else"))
        #expect(!isRefused(throttle, "ann", from: "home"))
        // There, too, guessing has an end.
        for _ in 0..<5 { throttle.failed(account: "ann", address: "home") }
        #expect(isRefused(throttle, "ann", from: "home"))
    }

    @Test("does not let one's own log-ins pay for guesses at others")
    func between() {
        let throttle = throttle()
        for index in 0..<20 {
            throttle.failed(account: "name \(index)", address: "one")
            throttle.succeeded(account: "eve", address: "one")
        }
        #expect(isRefused(throttle, "ann", from: "one"))
    }

    @Test("counts by the network that an address is of")
    func network() {
        let throttle = LoginThrottle(uptime: { .seconds(10) }, network: { _ in "one" })
        for index in 0..<20 { throttle.failed(account: "name \(index)", address: "\(index)") }
        #expect(isRefused(throttle, "bob"))
    }
}
