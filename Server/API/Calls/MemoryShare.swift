import Synchronization

/// What one request holds of the budget, until nobody works on it any more.
final class MemoryShare: Sendable {
    private let budget: MemoryBudget
    private let account: Int64
    private let held = Atomic(0)

    init(_ budget: MemoryBudget, account: Int64) {
        self.budget = budget
        self.account = account
    }

    deinit {
        let bytes = held.load(ordering: .relaxed)
        if bytes > 0 { budget.giveBack(bytes, for: account) }
    }

    /// Refuses the request when there is no room for so many bytes more.
    func take(_ bytes: Int) throws(Problem) {
        guard budget.take(bytes, for: account) else {
            throw Problem(
                503, "busy", "The server is busy. Try again soon.",
                detail: "Too many large bodies are on their way at once."
            ).with(header: "Retry-After", "1")
        }
        held.add(bytes, ordering: .relaxed)
    }
}
