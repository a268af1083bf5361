import BasketSupport
import Glibc
import Synchronization

/// Has errands run by threads of a process that goes on when this one is ended: a thread that waits in the kernel for
/// a program would keep this one from ending, and with it what it has open, though the program waits for who comes after it.
package final class LinkedErrands: ErrandRunning {
    private struct Link {
        let link: ErrandLink
        let runner: Int32
    }

    private struct State {
        /// Those that have nothing to do.
        var idle: [Link] = []
        var runners: Set<Int32>
    }

    private let own: OwnErrands
    private let open: @Sendable (Int32) throws -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - device: the kernel's end of the mount.
    ///   - runners: threads that run, or have run, errands for a process before this one.
    ///   - open: gives one end of a link to the other process, which has a thread there from then on.
    package init(
        on device: FuseDevice, runners: [Int32], open: @escaping @Sendable (Int32) throws -> Void
    ) {
        own = OwnErrands(device)
        state = Mutex(State(runners: Set(runners)))
        self.open = open
    }

    package func run(_ errand: Errand, begin: (Int32) -> Void) -> Int32 {
        guard let link = state.withLock({ $0.idle.popLast() }) ?? newLink() else {
            // Where there is no link to be had, the kernel has to be told all the same.
            return own.run(errand, begin: begin)
        }
        begin(link.runner)
        // Where the other process is gone, so is the mount.
        guard let result = link.link.run(errand) else { return EIO }
        state.withLock { $0.idle.append(link) }
        return result
    }

    private func newLink() -> Link? {
        guard let (link, other) = try? ErrandLink.pair() else { return nil }
        let isOpen = (try? open(other)) != nil
        close(other)
        guard isOpen, let runner = link.runner() else { return nil }
        state.withLock { _ = $0.runners.insert(runner) }
        return Link(link: link, runner: runner)
    }

    package func isRunner(_ thread: Int32) -> Bool {
        state.withLock { $0.runners.contains(thread) }
    }
}
