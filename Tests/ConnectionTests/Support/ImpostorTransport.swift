import BasketConnection
import Synchronization

/// Another server than the one that is meant: it knows nobody.
final class ImpostorTransport: Transport {
    private let count = Mutex(0)

    /// How often it was asked.
    var asked: Int { count.withLock { $0 } }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        count.withLock { $0 += 1 }
        return TransportResponse(
            status: 401, headers: [.init(name: "basket-server", value: "another")])
    }
}
