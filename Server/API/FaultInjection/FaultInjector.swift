import BasketHTTP
import BasketSupport
import Synchronization

/// Applies the faults that a test asked for.
final class FaultInjector: Sendable {
    static let mostRules = 100

    private struct State {
        var next = 1
        var rules: [(number: Int, rule: FaultRule)] = []
    }

    private let state = Mutex(State())
    private let world: World

    init(world: World) {
        self.world = world
    }

    var rules: [(number: Int, rule: FaultRule)] {
        state.withLock { $0.rules }
    }

    /// False when there are too many.
    func add(_ rule: FaultRule) -> Bool {
        state.withLock { state in
            guard state.rules.count < Self.mostRules else { return false }
            state.rules.append((state.next, rule))
            state.next += 1
            return true
        }
    }

    func remove(_ number: Int) -> Bool {
        state.withLock { state in
            let before = state.rules.count
            state.rules.removeAll { $0.number == number }
            return state.rules.count < before
        }
    }

    func clear() {
        state.withLock { $0.rules = [] }
    }

    /// Delays the call, or throws in place of it. The way to the faults themselves stays open.
    ///
    /// - Returns: what the call's bytes go through from now on, if they are slowed down.
    func apply(to call: Call) async throws -> Bandwidth? {
        guard !call.request.rawPath.hasPrefix("/v1/debug/") else { return nil }
        let rules = take(for: call)
        for rule in rules {
            if let delay = rule.delayMilliseconds { try await world.sleep(.milliseconds(delay)) }
            if let status = rule.status {
                throw Problem(
                    status, rule.code ?? "simulated_error", "A test asked for this to fail.")
            }
        }
        return rules.compactMap(\.bytesPerSecond).min().map {
            Bandwidth(bytesPerSecond: $0, world: world)
        }
    }

    /// The rules that strike this call; those that are used up are gone.
    private func take(for call: Call) -> [FaultRule] {
        state.withLock { state in
            var struck: [FaultRule] = []
            for index in state.rules.indices {
                let rule = state.rules[index].rule
                guard matches(rule, call), draws(rule) else { continue }
                struck.append(rule)
                if let times = rule.times { state.rules[index].rule.times = times - 1 }
            }
            state.rules.removeAll { $0.rule.times == 0 }
            return struck
        }
    }

    private func matches(_ rule: FaultRule, _ call: Call) -> Bool {
        if let method = rule.method, method != call.request.method.rawValue { return false }
        if let path = rule.path, !call.request.rawPath.hasPrefix(path) { return false }
        if let item = rule.item, call.captures["item"] != item { return false }
        return true
    }

    private func draws(_ rule: FaultRule) -> Bool {
        guard let percent = rule.percent else { return true }
        return Int(world.randomUInt64() % 100) < percent
    }
}
