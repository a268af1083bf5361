import BasketSupport
import Glibc
import Synchronization

/// An HTTP server. Made, it has its port; started, it answers through its handler; stopped, it is done.
package final class HTTPServer: Sendable {
    private enum Phase: ~Copyable {
        case bound(ListeningSocket)
        case running(Running)
        case ended
    }

    private struct Running {
        let daemon: Daemon
        let acceptor: Acceptor
    }

    /// What the process needs besides its connections: databases, logs.
    private static let otherDescriptors = 1024

    private let engine: Engine
    private let phase: Mutex<Phase>
    /// Where clients reach it: the one that was asked for, or the one that the system chose.
    package let port: UInt16

    /// Opens the listening socket, or takes over the inherited one.
    package init(
        configuration: HTTPServerConfiguration, handler: any HTTPHandler, world: World
    ) throws {
        engine = try Engine(configuration, handler: handler, world: world)
        let socket = try ListeningSocket(configuration.listener)
        port = socket.port
        phase = Mutex(.bound(socket))
    }

    /// Accepts connections from now on, until `stop`.
    package func start() throws {
        // A full house must not keep it from opening the files that it was asked for, each of which has one of its own.
        DescriptorLimit.raise(to: engine.limits.connections * 2 + Self.otherDescriptors)
        try phase.withLock { phase throws(HTTPServerError) in
            switch exchange(&phase, with: .ended) {
            case .bound(let socket):
                let daemon = try Daemon(engine)
                let acceptor = Acceptor()
                engine.watch.start()
                acceptor.start(socket, engine: engine, daemon: daemon)
                phase = .running(Running(daemon: daemon, acceptor: acceptor))
            case .running(let running):
                phase = .running(running)
                throw .startedTwice
            case .ended: throw .startedTwice
            }
        }
    }

    /// Stops accepting at once; what is under way may finish, and its connections close with their
    /// next answer. After `grace`, what is left is cancelled and closed. Event streams end at once.
    package func stop(grace: Duration) async {
        let running: Running? = phase.withLock { phase in
            switch exchange(&phase, with: .ended) {
            case .running(let running): running
            case .bound: nil
            case .ended: nil
            }
        }
        guard let running else { return }
        engine.startStopping()
        await onThread { running.acceptor.stop() }
        let sleep = engine.world.sleep
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.engine.waitUntilIdle() }
            // Cancelled as soon as nothing is under way; then there is nothing to wait for.
            group.addTask { try? await sleep(grace) }
            await group.next()
            group.cancelAll()
        }
        let engine = engine
        await onThread {
            engine.giveUp()
            running.daemon.stop()
            engine.watch.stop()
        }
    }

    /// Uses another certificate for each connection from now on; those that are open stay.
    package func replace(tls: TLSIdentity) throws(HTTPServerError) {
        precondition(engine.isSecure, "a server without TLS has no certificate to replace")
        engine.credentials = try TLSCredentials(tls)
    }

    /// What the server has done so far.
    package var statistics: HTTPStatistics { engine.counters.snapshot }

    /// Joining threads blocks, and a task must not.
    private func onThread(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            let thread = Thread(name: "http-stop") {
                work()
                done.resume()
            }
            thread.detach()
        }
    }
}
