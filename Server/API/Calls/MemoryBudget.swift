import Synchronization

/// What bodies that are on their way may hold in memory, all together and for one account: whoever sends
/// many large ones, slowly, must not push everybody else out.
final class MemoryBudget: Sendable {
    private struct State {
        var held = 0
        var byAccount: [Int64: Int] = [:]
    }

    private let state = Mutex(State())
    private let total: Int
    private let perAccount: Int

    init(total: Int, perAccount: Int) {
        self.total = total
        self.perAccount = perAccount
    }

    /// False when there is no room for so many bytes more.
    func take(_ bytes: Int, for account: Int64) -> Bool {
        state.withLock { state in
            let own = state.byAccount[account, default: 0]
            guard state.held + bytes <= total, own + bytes <= perAccount else { return false }
            state.held += bytes
            state.byAccount[account] = own + bytes
            return true
        }
    }

    func giveBack(_ bytes: Int, for account: Int64) {
        state.withLock { state in
            state.held -= bytes
            let rest = state.byAccount[account, default: 0] - bytes
            state.byAccount[account] = rest > 0 ? rest : nil
        }
    }
}
