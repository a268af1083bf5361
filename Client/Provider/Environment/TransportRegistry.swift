import BasketConnection
import Synchronization

/// One transport for each server and bandwidth, with its thread and its connections, for as long as somebody uses it:
/// a limit holds for all domains together that have the same one.
final class TransportRegistry: Sendable {
    private struct Key: Hashable {
        let server: ServerEndpoint
        let bandwidth: Bandwidth
    }

    private struct Entry {
        weak var transport: CurlTransport?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    func transport(to server: ServerEndpoint, within bandwidth: Bandwidth) -> CurlTransport {
        let key = Key(server: server, bandwidth: bandwidth)
        return entries.withLock { entries in
            if let transport = entries[key]?.transport { return transport }
            entries = entries.filter { $0.value.transport != nil }
            let transport = CurlTransport(server)
            transport.limit(bandwidth)
            entries[key] = Entry(transport: transport)
            return transport
        }
    }
}
