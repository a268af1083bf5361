import BasketConnection
import BasketSupport
import Synchronization

/// One event stream for each server and log-in, however many domains listen; it ends with the last of them.
package final class EventRegistry: Sendable {
    /// What a listener hears.
    enum News: Sendable {
        case event(ServerEvent)
        /// The stream is over for good, and why.
        case ended(ConnectionError)
    }

    typealias Listener = @Sendable (News) async -> Void

    private struct Key: Hashable {
        let server: String
        let token: String
    }

    private struct Stream {
        let number: Int
        var task: Task<Void, Never>?
        var isConnected = false
        var listeners: [Int: Listener] = [:]
    }

    private struct State {
        var streams: [Key: Stream] = [:]
        var last = 0

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Listens until the returned closure is called.
    func listen(
        _ server: String, token: String, _ connection: ServerConnection, world: World,
        _ listener: @escaping Listener
    ) -> @Sendable () -> Void {
        let key = Key(server: server, token: token)
        let (number, begins, isConnected) = state.withLock { state in
            let number = state.next()
            var begins: Int?
            if state.streams[key] == nil {
                begins = state.next()
                state.streams[key] = Stream(number: begins ?? 0)
            }
            state.streams[key]?.listeners[number] = listener
            return (number, begins, state.streams[key]?.isConnected ?? false)
        }
        if let begins {
            let task = world.spawn { await self.run(key, begins, connection) }
            let isOver = state.withLock { state in
                guard state.streams[key]?.number == begins else { return true }
                state.streams[key]?.task = task
                return false
            }
            if isOver { task.cancel() }
        } else if isConnected {
            // It missed the moment in which the stream began.
            _ = world.spawn { await listener(.event(.connected)) }
        }
        return { self.leave(key, number) }
    }

    private func leave(_ key: Key, _ number: Int) {
        let task: Task<Void, Never>? = state.withLock { state in
            state.streams[key]?.listeners[number] = nil
            guard let stream = state.streams[key], stream.listeners.isEmpty else { return nil }
            state.streams[key] = nil
            return stream.task
        }
        task?.cancel()
    }

    private func run(_ key: Key, _ number: Int, _ connection: ServerConnection) async {
        var reason = ConnectionError.cancelled
        do {
            try await EventFeed(connection).listen { queue in
                for try await event in queue { await self.tell(.event(event), key, number) }
            }
        } catch {
            reason = (error as? ConnectionError) ?? .cancelled
        }
        let listeners = state.withLock { state -> [Listener] in
            guard let stream = state.streams[key], stream.number == number else { return [] }
            state.streams[key] = nil
            return Self.inOrder(stream)
        }
        for listener in listeners { await listener(.ended(reason)) }
    }

    private func tell(_ news: News, _ key: Key, _ number: Int) async {
        let listeners = state.withLock { state -> [Listener] in
            guard let stream = state.streams[key], stream.number == number else { return [] }
            switch news {
            case .event(.connected): state.streams[key]?.isConnected = true
            case .event(.disconnected): state.streams[key]?.isConnected = false
            default: break
            }
            return Self.inOrder(stream)
        }
        for listener in listeners { await listener(news) }
    }

    /// The first one that came is told first.
    private static func inOrder(_ stream: Stream) -> [Listener] {
        stream.listeners.sorted { $0.key < $1.key }.map(\.value)
    }
}
