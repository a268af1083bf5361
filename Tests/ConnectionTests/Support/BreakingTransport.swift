import BasketConnection
import Synchronization

/// A network that loses connections: some requests' answers break off after so many bytes.
final class BreakingTransport: Transport {
    private let inner = Mutex<(any Transport)?>(nil)
    /// Which requests break, and after how many bytes of the answer; the first one's rule is first.
    private let rules: Mutex<[(method: String, part: String, bytes: Int)]>
    private let sent = Mutex<[TransportRequest]>([])

    init(_ rules: [(method: String, part: String, bytes: Int)] = []) {
        self.rules = Mutex(rules)
    }

    /// What carries the requests.
    func lead(to transport: any Transport) {
        inner.withLock { $0 = transport }
    }

    /// Requests that were sent so far, with a certain text in their targets.
    func requests(_ part: String) -> [TransportRequest] {
        sent.withLock { $0.filter { $0.target.contains(part) } }
    }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        guard let inner = inner.withLock({ $0 }) else { throw .noRoute }
        let limit: Int? = rules.withLock { rules in
            let index = rules.firstIndex {
                $0.method == request.method && request.target.contains($0.part)
            }
            return index.map { rules.remove(at: $0).bytes }
        }
        guard let limit else { return try await inner.send(request, consumer: consumer) }
        var passed = 0
        _ = try await inner.send(request) { head, bytes in
            let part = bytes.prefix(limit - passed)
            passed += part.count
            // Only what the server does counts of an answer that is lost as a whole.
            if !part.isEmpty { try await consumer(head, Array(part)) }
            if passed == limit, limit > 0 { throw TransportError.broken("the test broke it") }
        }
        throw .broken("the test broke it")
    }
}
