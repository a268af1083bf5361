import BasketConnection

/// A server that gives everybody the same answer, whatever it is asked.
struct FixedTransport: Transport {
    let head: TransportResponse
    let body: [UInt8]

    init(
        _ headers: [(name: String, value: String)], _ body: String = "", status: Int = 200
    ) {
        head = TransportResponse(
            status: status, headers: headers.map { .init(name: $0.name, value: $0.value) })
        self.body = Array(body.utf8)
    }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        do {
            if !body.isEmpty { try await consumer(head, body) }
        } catch {
            throw .consumer(error)
        }
        return head
    }
}
