import BasketConnection
import Synchronization

/// Counts the bytes of all bodies that are sent.
final class CountingTransport: Transport {
    private let transport: any Transport
    private let sent = Atomic<Int64>(0)

    init(_ transport: any Transport) {
        self.transport = transport
    }

    var bytesSent: Int64 { sent.load(ordering: .relaxed) }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        sent.add(request.body.length, ordering: .relaxed)
        return try await transport.send(request, consumer: consumer)
    }
}
