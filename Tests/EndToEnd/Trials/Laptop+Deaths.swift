import BasketSupport
import Glibc

extension Laptop {
    /// Kills the host again and again while something goes on, but not as often as it takes for the folder to be given
    /// up.
    /// - Returns: how often.
    func killHosts<Value>(
        after pause: Duration, atMost most: Int = 10, during work: Meanwhile<Value>
    ) throws -> Int {
        let pausing = Semaphore()
        var count = 0
        while count < most {
            _ = pausing.wait(upTo: pause)
            guard !work.isOver else { break }
            // Between two hosts there is none.
            guard let host = try? self.host(of: "Work") else { continue }
            Glibc.kill(host, SIGKILL)
            count += 1
        }
        return count
    }
}
