import BasketSupport
import CLinux
import Synchronization

/// Threads that run errands for one process after another. They stay for as long as this does, so that what one of them
/// asks is never taken for a program's question.
package final class ErrandRunners: Sendable {
    private struct Work {
        let link: ErrandLink
        let device: FuseDevice
    }

    private struct State {
        var work: [Work] = []
        var idle = 0
        var count = 0
        var numbers: [Int32] = []
        var isStopped = false
        /// How many are being run just now.
        var running = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wake = Semaphore()

    package init() {}

    /// All that ever were.
    package var numbers: [Int32] { state.withLock { $0.numbers } }

    /// Has a thread run the errands that come over a link, until that ends.
    package func serve(_ link: ErrandLink, on device: FuseDevice) {
        let isThere = state.withLock { state in
            state.work.append(Work(link: link, device: device))
            guard state.idle == 0 else {
                state.idle -= 1
                return true
            }
            state.count += 1
            return false
        }
        if !isThere { Thread(name: "errands") { self.run() }.detach() }
        wake.signal()
    }

    /// Once no further link comes. Those who run an errand end after it.
    package func stop() {
        let count = state.withLock { state in
            state.isStopped = true
            return state.count
        }
        for _ in 0..<count { wake.signal() }
    }

    /// Runs no more errands, until they are open again.
    /// - Returns: false where one is being run still after some time, and they are open as before.
    package func close(waitingUpTo patience: Duration) -> Bool {
        state.withLock { $0.isClosed = true }
        let pause = Semaphore()
        let turns = Int(patience / .milliseconds(10))
        for _ in 0..<turns where state.withLock({ $0.running }) > 0 {
            _ = pause.wait(upTo: .milliseconds(10))
        }
        return state.withLock { state in
            if state.running > 0 { state.isClosed = false }
            return state.running == 0
        }
    }

    package func reopen() {
        state.withLock { $0.isClosed = false }
    }

    /// - Returns: nil where none is run now.
    private func run(_ errand: Errand, _ device: FuseDevice) -> Int32? {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.running += 1 }
            return !state.isClosed
        }
        guard isOpen else { return nil }
        defer { state.withLock { $0.running -= 1 } }
        return errand.run(on: device.descriptor)
    }

    private func run() {
        state.withLock { $0.numbers.append(basket_thread_number()) }
        while true {
            wake.wait()
            let (work, isStopped) = state.withLock { state in
                (state.work.popLast(), state.isStopped)
            }
            if let work {
                work.link.serve { run($0, work.device) }
                state.withLock { $0.idle += 1 }
            } else if isStopped {
                return
            }
        }
    }
}
