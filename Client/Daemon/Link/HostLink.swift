import BasketSupport
import CLinux
import Foundation
import Glibc

/// One end of what joins a daemon and the process that hosts a domain for it: whole messages, one of which may bring an
/// open file along. The other end notices when a process has ended, however it has.
final class HostLink: Sendable {
    /// What came, and the file with it.
    struct Message<Content: Decodable & Sendable>: Sendable {
        let content: Content
        let descriptor: Int32?
    }

    enum Failure: Error {
        /// The other end is not there any more.
        case ended
        /// It has said nothing for as long as it was waited for.
        case silent
        case bad(String)
    }

    /// A record with all that its program wants to know again fits into it.
    private static let longestMessage = 1 << 20

    let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Both ends.
    static func pair() throws(FileError) -> (HostLink, HostLink) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw FileError("make", "a pair of sockets", code: errno)
        }
        for end in ends {
            var room = Int32(longestMessage)
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        return (HostLink(descriptor: ends[0]), HostLink(descriptor: ends[1]))
    }

    func send(_ content: some Encodable, with file: Int32? = nil) throws {
        let bytes = Array(try JSONEncoder().encode(content))
        guard bytes.count <= Self.longestMessage else { throw Failure.bad("it is too long") }
        guard basket_send_message(descriptor, bytes, bytes.count, file ?? -1) == bytes.count else {
            if errno == EPIPE || errno == ECONNRESET { throw Failure.ended }
            throw FileError("write to", "the link of a domain's host", code: errno)
        }
    }

    /// Waits, on this thread, for the next message.
    func receive<Content: Decodable & Sendable>(
        _ type: Content.Type
    ) throws -> Message<Content> {
        var file: Int32 = -1
        var isSilent = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.longestMessage) { buffer, count in
            let length = basket_receive_message(
                descriptor, buffer.baseAddress, Self.longestMessage, &file)
            isSilent = length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
            count = max(0, length)
        }
        guard !bytes.isEmpty else {
            throw isSilent ? Failure.silent : Failure.ended
        }
        do {
            let content = try JSONDecoder().decode(type, from: Data(bytes))
            return Message(content: content, descriptor: file < 0 ? nil : file)
        } catch {
            if file >= 0 { close(file) }
            throw Failure.bad("\(error)")
        }
    }

    /// Nobody waits longer than that for a message; for ever where it is nothing.
    func limitWaiting(to patience: timeval) {
        var patience = patience
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
    }

    /// Has both ends end.
    func shut() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
