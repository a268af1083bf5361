import BasketSupport

/// Tells now and then that this process works, for as long as it does: a large replica may take long to open after a crash,
/// and whoever waits for that must be able to tell it from a process that is stuck.
final class SignsOfLife: Sendable {
    private let wake = Semaphore()

    /// Telling of itself takes less.
    private static let leastWork = Duration.milliseconds(10)

    /// - Parameter pause: how often.
    init(every pause: Duration, _ tell: @escaping @Sendable () -> Void) {
        Thread(name: "signs of life") { [wake] in
            var before = ProcessWork.now
            while !wake.wait(upTo: pause) {
                let now = ProcessWork.now
                if now.time - before.time >= Self.leastWork || now.blocks != before.blocks {
                    tell()
                }
                before = now
            }
        }.detach()
    }

    func stop() { wake.signal() }
}
