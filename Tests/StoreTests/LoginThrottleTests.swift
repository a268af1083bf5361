import BasketSupport
import Synchronization
import Testing

@testable import BasketStore

@Suite("The throttle of log-ins")
struct LoginThrottleTests {
    private func isRefused(_ throttle: LoginThrottle, _ account: String) -> Bool {
        do throws(Authenticator.Refusal) {
            try throttle.admit(account: account, address: "192.0.2.1")
            return false
        } catch {
            return true
        }
    }

    @Test("remembers who is guessed at, however many other names are tried meanwhile")
    func flood() {
        let throttle = LoginThrottle(uptime: { .seconds(10) }, network: { $0 })
        for index in 0..<10 { throttle.failed(account: "ann", address: "198.51.100.\(index)") }
        for index in 0..<60_000 {
            throttle.failed(account: "name \(index)", address: "address \(index)")
        }
        #expect(isRefused(throttle, "ann"))
        #expect(!isRefused(throttle, "bob"))
    }

    @Test("counts by the network that an address is of")
    func network() {
        let throttle = LoginThrottle(uptime: { .seconds(10) }, network: { _ in "one" })
        for index in 0..<10 { throttle.failed(account: "name \(index)", address: "\(index)") }
        #expect(isRefused(throttle, "bob"))
    }
}
