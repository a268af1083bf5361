import BasketSupport
import CLinux
import Glibc
import Synchronization

/// Takes connections from the listening socket and hands them to libmicrohttpd. We do this ourselves,
/// because libmicrohttpd may abort the process when it is told to stop accepting while a worker does so,
/// and because a refused client is refused here before it costs anything.
final class Acceptor: Sendable {
    /// How long to wait when the process, or the house, is full.
    private static let fullPause: CInt = 50

    private let wakeUp: CInt
    private let isEnding = Atomic(false)
    private let thread = Mutex<Thread?>(nil)

    init() {
        wakeUp = basket_eventfd_create()
        precondition(wakeUp >= 0, "the process has no descriptor left")
    }

    deinit {
        close(wakeUp)
    }

    /// - Parameter socket: closed when the acceptor stops.
    func start(_ socket: consuming ListeningSocket, engine: Engine, daemon: Daemon) {
        let listening = socket.handOver()
        thread.withLock { thread in
            thread = Thread(name: "http-accept") {
                self.run(listening, engine, daemon)
                close(listening)
            }
        }
    }

    /// Returns when nothing is accepted any more.
    func stop() {
        isEnding.store(true, ordering: .releasing)
        basket_eventfd_signal(wakeUp)
        thread.withLock { $0.take() }?.join()
    }

    private func run(_ listening: CInt, _ engine: Engine, _ daemon: Daemon) {
        var isFull = false
        while !isEnding.load(ordering: .acquiring) {
            var watched = [
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
            ]
            if isFull {
                poll(&watched, 1, Self.fullPause)
            } else {
                poll(&watched, 2, -1)
            }
            isFull = takeAll(listening, engine, daemon)
        }
    }

    /// - Returns: whether there was no room for one more.
    private func takeAll(_ listening: CInt, _ engine: Engine, _ daemon: Daemon) -> Bool {
        var peer = sockaddr_storage()
        return withUnsafeMutablePointer(to: &peer) { peer in
            peer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                while !isEnding.load(ordering: .relaxed) {
                    guard engine.hasRoom else { return true }
                    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                    let descriptor = basket_accept(listening, address, &size)
                    if descriptor < 0 {
                        switch errno {
                        case EINTR, ECONNABORTED: continue
                        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return true
                        default: return false
                        }
                    }
                    let client = NetworkAddress(size > 0 ? address : nil)
                    guard engine.admit(client) else {
                        close(descriptor)
                        continue
                    }
                    // libmicrohttpd closes the descriptor if it does not take it.
                    if !daemon.add(descriptor, address, size) { engine.dismiss(client) }
                }
                return false
            }
        }
    }
}
