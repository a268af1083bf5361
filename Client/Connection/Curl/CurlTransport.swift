import BasketSupport

/// The transport over libcurl: HTTP/1.1 and HTTP/2, TLS, proxies, Unix sockets.
///
/// One thread carries all of its requests; it ends with the transport. Connections are kept and used
/// again. Proxies come from the environment, as curl's own do.
package final class CurlTransport: Transport {
    private let engine: CurlEngine

    /// - Parameters:
    ///   - agent: what the client calls itself to the server.
    ///   - mostRequests: how many are under way at a time, streams not counted; more wait their turn.
    ///   - threadName: what the system calls the thread; up to 15 bytes.
    package init(
        _ server: ServerEndpoint, agent: String = "basket", mostRequests: Int = 16,
        threadName: String = "basket-curl"
    ) {
        engine = CurlEngine(server, agent: agent, mostRequests: mostRequests)
        engine.start(threadName: threadName)
    }

    deinit {
        engine.stop()
    }

    /// Bytes a second for all transfers together. Holds for those that are under way as well.
    package func limit(_ bandwidth: Bandwidth) {
        engine.order(.limit(receiving: bandwidth.receiving, sending: bandwidth.sending))
    }

    package func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        let transfer = CurlTransfer(request)
        do {
            return try await withTaskCancellationHandler {
                // What fits is there from the start, and most bodies fit.
                try Self.supply(transfer, at: 0)
                engine.order(.begin(transfer))
                return try await carry(transfer, consumer)
            } onCancel: {
                // The waiting task goes on at once; curl lets go when the thread comes to it.
                transfer.mailbox.end(.failure(.cancelled))
                engine.order(.abandon(transfer))
            }
        } catch let error as TransportError {
            transfer.mailbox.end(.failure(error))
            engine.order(.abandon(transfer))
            throw error
        } catch {
            transfer.mailbox.end(.failure(.cancelled))
            engine.order(.abandon(transfer))
            throw Task.isCancelled ? .cancelled : .consumer(error)
        }
    }

    private func carry(
        _ transfer: CurlTransfer, _ consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws -> TransportResponse {
        let progress = transfer.request.progress
        var received: Int64 = 0
        while true {
            let (event, resumes) = await transfer.mailbox.next()
            if resumes { engine.order(.resume(transfer)) }
            switch event {
            case .received(let head, let bytes):
                try await consumer(head, bytes)
                received += Int64(bytes.count)
            case .wantsBytes(let position):
                if try Self.supply(transfer, at: position) { engine.order(.resume(transfer)) }
            case .ended(let result):
                let head = try result.get()
                progress?(TransferProgress(sent: transfer.mailbox.sent, received: received))
                return head
            }
            progress?(TransferProgress(sent: transfer.mailbox.sent, received: received))
        }
    }

    /// - Returns: whether the engine waits for these bytes.
    @discardableResult
    private static func supply(_ transfer: CurlTransfer, at position: Int64) throws -> Bool {
        let body = transfer.request.body
        guard position < body.length else { return false }
        let bytes = try body.read(at: position, upTo: TransferMailbox.pieceLength)
        return transfer.mailbox.supply(bytes, at: position)
    }
}
