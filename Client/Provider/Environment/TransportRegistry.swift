import BasketConnection
import Synchronization

/// One transport for each server, with its thread and its connections, for as long as somebody uses it.
final class TransportRegistry: Sendable {
    private struct Entry {
        weak var transport: CurlTransport?
    }

    private let entries = Mutex<[ServerEndpoint: Entry]>([:])

    func transport(to server: ServerEndpoint) -> CurlTransport {
        entries.withLock { entries in
            if let transport = entries[server]?.transport { return transport }
            entries = entries.filter { $0.value.transport != nil }
            let transport = CurlTransport(server)
            entries[server] = Entry(transport: transport)
            return transport
        }
    }
}
