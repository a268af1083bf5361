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

    private func run() {
        state.withLock { $0.numbers.append(basket_thread_number()) }
        while true {
            wake.wait()
            let (work, isStopped) = state.withLock { state in
                (state.work.popLast(), state.isStopped)
            }
            if let work {
                work.link.serve(work.device)
                state.withLock { $0.idle += 1 }
            } else if isStopped {
                return
            }
        }
    }
}
