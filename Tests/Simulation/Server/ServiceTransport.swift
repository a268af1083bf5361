import BasketAPI
import BasketConnection
import BasketHTTP
import BasketSupport
import Synchronization

/// Carries requests to a service in this process, over a network that delays and loses them.
final class ServiceTransport: Transport {
    private let storage: ServerStorage
    /// Nil for one that takes no time and loses nothing.
    private let network: Network?
    private let device: String
    private let count = Mutex(0)

    init(_ storage: ServerStorage, network: Network?, device: String) {
        self.storage = storage
        self.network = network
        self.device = device
    }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        do {
            network?.note(sent: "\(request.method) \(request.target)")
            try await cross()
            if let network, network.isRepeated, request.method != "GET" {
                _ = try await answer(to: try translated(request))
            }
            let response = try await answer(to: try translated(request))
            let head = TransportResponse(
                status: response.status,
                headers: response.headers.fields.map {
                    TransportResponse.Header(name: $0.name.lowercased(), value: $0.value)
                })
            try await cross()
            switch response.body {
            case .none: break
            case .bytes(let bytes): try await hand([bytes], head, consumer)
            case .pieces(let pieces):
                try await hand(pieces.map { try $0.allBytes() }, head, consumer)
            case .stream(let stream): try await relay(stream, head, consumer)
            }
            return head
        } catch let error as TransportError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .consumer(error)
        }
    }

    /// What the server does it goes on with, whatever becomes of the device; and when it dies, nobody answers.
    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        guard let server = storage.server else { throw TransportError.refused }
        guard server.isMortal else { return await server.service.respond(to: request) }
        let pending = PendingAnswer<HTTPResponse>()
        let line = server.connect { pending.end(with: nil) }
        defer { server.disconnect(line) }
        _ = server.world.spawn { pending.end(with: await server.service.respond(to: request)) }
        guard let response = await pending.value() else {
            try Task.checkCancellation()
            throw TransportError.broken("the server died")
        }
        return response
    }

    /// Hands over a body, or the beginning of one that is lost on its way.
    private func hand(
        _ pieces: [[UInt8]], _ head: TransportResponse,
        _ consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws {
        for piece in pieces { storage.look(at: piece, for: device) }
        guard let network, network.breaksNow else {
            for piece in pieces { try await consumer(head, piece) }
            return
        }
        var left = network.choose(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces where left > 0 {
            try await consumer(head, Array(piece.prefix(left)))
            left -= piece.count
        }
        throw TransportError.broken("the network lost the rest")
    }

    private func cross() async throws {
        guard let network else { return }
        do {
            try await network.travel()
        } catch is CancellationError {
            throw TransportError.cancelled
        } catch {
            throw TransportError.broken("the network lost it")
        }
    }

    private func translated(_ request: TransportRequest) throws -> HTTPRequest {
        let number = count.withLock { count in
            count += 1
            return count
        }
        var headers = HTTPHeaders()
        for (name, value) in request.headers { headers.append(name, value) }
        let target = try RequestTarget(Array(request.target.utf8)[...])
        let body = try request.body.read(at: 0, upTo: Int(request.body.length))
        let source = Source(body)
        guard let method = HTTPMethod(rawValue: request.method) else {
            throw TransportError.notSendable("no method \(request.method)")
        }
        return HTTPRequest(
            method, target.rawPath, path: target.path, query: target.query, headers: headers,
            body: HTTPRequestBody(announcedLength: Int64(body.count)) { source.take() },
            id: "simulated-\(number)", clientAddress: "127.0.0.1")
    }

    /// Hands on what comes while the stream is open. It breaks when the network does.
    private func relay(
        _ stream: HTTPStream, _ head: TransportResponse,
        _ consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws {
        guard let server = storage.server else { throw TransportError.refused }
        let pipe = Pipe()
        let line = server.connect { pipe.end() }
        let produce = stream.produce
        let task = server.world.spawn {
            defer { pipe.end() }
            try? await produce(HTTPStreamWriter { pipe.put($0) })
        }
        let connection = network?.connect(task)
        defer {
            task.cancel()
            server.disconnect(line)
            if let connection { network?.disconnect(connection) }
        }
        while let bytes = await pipe.next() {
            try await cross()
            storage.look(at: bytes, for: device)
            try await consumer(head, bytes)
        }
        try Task.checkCancellation()
        if server.isDead { throw TransportError.broken("the server died") }
    }

    /// A body, once.
    private final class Source: Sendable {
        private let rest: Mutex<[UInt8]?>

        init(_ bytes: [UInt8]) {
            rest = Mutex(bytes.isEmpty ? nil : bytes)
        }

        func take() -> [UInt8]? { rest.withLock { $0.take() } }
    }

    /// What a stream has written and nobody has read.
    private final class Pipe: Sendable {
        private struct State {
            var waiting: [[UInt8]] = []
            var isOver = false
            var reader: CheckedContinuation<[UInt8]?, Never>?
        }

        private let state = Mutex(State())

        func put(_ bytes: [UInt8]) {
            let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
                if let reader = state.reader.take() { return reader }
                state.waiting.append(bytes)
                return nil
            }
            reader?.resume(returning: bytes)
        }

        func end() {
            let reader = state.withLock { state in
                state.isOver = true
                return state.reader.take()
            }
            reader?.resume(returning: nil)
        }

        func next() async -> [UInt8]? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let (isNow, bytes) = state.withLock { state -> (Bool, [UInt8]?) in
                        if !state.waiting.isEmpty { return (true, state.waiting.removeFirst()) }
                        if state.isOver || Task.isCancelled { return (true, nil) }
                        state.reader = continuation
                        return (false, nil)
                    }
                    if isNow { continuation.resume(returning: bytes) }
                }
            } onCancel: {
                end()
            }
        }
    }
}

extension HTTPPiece {
    fileprivate func allBytes() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let file, let offset, let length):
            try file.read(at: offset, count: Int(length))
        }
    }
}
