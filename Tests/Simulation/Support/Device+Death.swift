import Synchronization

extension Device {
    /// Has it die after so many commits. Somebody has to switch it off then, as if it was alive.
    func die(after commits: Int) {
        commitsLeft.withLock { $0 = commits }
    }

    /// - Returns: whether it dies of that.
    func noteCommit(of process: SimulatedProcess) -> Bool {
        let isLast = commitsLeft.withLock { left in
            guard let count = left else { return false }
            left = count > 1 ? count - 1 : nil
            return count == 1
        }
        if isLast { process.kill() }
        return isLast
    }
}
