import BasketSupport
import CLinux

/// Gives memory back to the machine when this process has done nothing for a while: a folder of a hundred thousand files that
/// somebody has looked at once must not cost for days what it took to show it.
final class Thrift: Sendable {
    private let wake = Semaphore()

    /// Heartbeats take less between two looks.
    private static let leastWork = Duration.milliseconds(20)

    /// - Parameters:
    ///   - pause: how often it is looked.
    ///   - worked: for how long this process has worked so far.
    ///   - release: lets go of what is there only to be quicker the next time.
    init(
        every pause: Duration = .seconds(10),
        worked: @escaping @Sendable () -> Duration = { ProcessWork.now.time },
        release: @escaping @Sendable () -> Void
    ) {
        Thread(name: "thrift") { [wake] in
            var before = worked()
            var hasWorked = true
            while !wake.wait(upTo: pause) {
                let now = worked()
                if now - before >= Self.leastWork {
                    hasWorked = true
                } else if hasWorked {
                    hasWorked = false
                    release()
                    // What is free lies between what is not, and stays with the process otherwise.
                    basket_return_memory()
                }
                // What that took is no work.
                before = worked()
            }
        }.detach()
    }

    func stop() { wake.signal() }
}
