import BasketSupport

/// Waits for what another process does in its own time, without a promise when.
enum Patience {
    /// Asks until the answer is yes; false when it is still no after that long.
    static func until(upTo limit: Duration = .seconds(15), _ isTrue: () throws -> Bool) rethrows
        -> Bool
    {
        let deadline = Moment.now + limit
        let pause = Semaphore()
        while try !isTrue() {
            guard Moment.now < deadline else { return false }
            _ = pause.wait(upTo: .milliseconds(50))
        }
        return true
    }
}
