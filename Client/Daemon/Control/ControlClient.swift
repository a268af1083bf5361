import BasketSupport
import FileProviderHost
import Foundation
import Glibc
import Synchronization

/// Asks at a control socket, one question for each connection.
package struct ControlClient: Sendable {
    package enum Failure: Error, Sendable {
        /// Nobody is there.
        case nobody
        /// The other end went away before it had answered.
        case ended
        /// It has not answered in time.
        case silent
        case bad(String)
    }

    /// For what is answered from memory.
    package static let patience = Duration.seconds(15)
    private static let longestLine = 256 << 20

    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Asks, and returns the answer.
    /// - Parameters:
    ///   - patience: how long the answer may take; nil for however long.
    ///   - progress: hears each line that tells how far it is, as it came.
    package func ask<Request: Encodable & Sendable, Answer: Codable & Sendable>(
        _ request: Request, for type: Answer.Type, within patience: Duration? = nil,
        progress: @escaping @Sendable (ControlProgress) -> Void = { _ in }
    ) async throws -> Answer {
        let line = try await exchange(request, patience) { line in
            let reply = try JSONDecoder().decode(ControlReply<Answer>.self, from: Data(line))
            if let told = reply.progress { progress(told) }
            return reply.progress == nil
        }
        let reply = try JSONDecoder().decode(ControlReply<Answer>.self, from: Data(line))
        if let error = reply.error { throw error }
        guard let answer = reply.answer else { throw Failure.bad("an answer without anything") }
        return answer
    }

    /// Asks, and returns the last line of the answer, as it came.
    private func exchange(
        _ request: some Encodable & Sendable, _ patience: Duration?,
        _ isLast: @escaping @Sendable ([UInt8]) throws -> Bool
    ) async throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = Array(try encoder.encode(request)) + [0x0A]
        let socket = try ControlConnection(path)
        let alarm = patience.map { patience in
            Task {
                try await Task.sleep(for: patience)
                socket.giveUp()
            }
        }
        defer { alarm?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread(name: "question") {
                    continuation.resume(
                        with: Result {
                            try socket.send(line)
                            var lines = LineReader(socket.raw, longest: Self.longestLine)
                            while let line = lines.next() {
                                if try isLast(line) { return line }
                            }
                            throw socket.isGivenUp ? Failure.silent : Failure.ended
                        })
                }.detach()
            }
        } onCancel: {
            socket.shut()
        }
    }
}

/// The asking end of a control socket.
private final class ControlConnection: Sendable {
    let raw: Int32
    private let hasGivenUp = Atomic(false)

    init(_ path: String) throws {
        guard let address = UnixAddress(path) else {
            throw FileError("connect to", path, code: ENAMETOOLONG)
        }
        raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw FileError("connect to", path, code: errno) }
        guard address.withPointer({ connect(raw, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED: throw ControlClient.Failure.nobody
            case let code: throw FileError("connect to", path, code: code)
            }
        }
    }

    deinit {
        close(raw)
    }

    /// Whether nobody waits for an answer any more.
    var isGivenUp: Bool { hasGivenUp.load(ordering: .acquiring) }

    func giveUp() {
        hasGivenUp.store(true, ordering: .releasing)
        shut()
    }

    func shut() {
        shutdown(raw, Int32(SHUT_RDWR))
    }

    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw ControlClient.Failure.ended
            }
        }
    }
}
