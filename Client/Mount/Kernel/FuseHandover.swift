import BasketSupport
import CFuse
import Glibc
import Synchronization

/// Lets one process go on where another one has ended, with one device: the kernel greets whoever answers first, and
/// nobody else. So the greeting is kept, and told to the next one as if the kernel had said it; its answer, the kernel
/// must not see.
final class FuseHandover: Sendable {
    private struct State {
        /// What is still to be said to libfuse.
        var greeting: [UInt8]?
        /// The answer to it is swallowed.
        var swallowed: UInt64?
        /// Threads of which each handles what was asked before.
        var repeating: Set<UInt> = []
    }

    /// Whether this process goes on where another one has ended.
    private let isResumed: Bool
    private let path: String
    private let files: any FileSystem
    private let log: Log
    private let state: Mutex<State>

    /// With what the kernel marks a question that it asks again.
    private static let repeatedMark: UInt64 = 1 << 63
    private static let greetingCode: UInt32 = 26
    /// Has the kernel ask again what was asked and not answered. Kernels before 6.9 do not know it.
    private static let askAgainCode: Int32 = 7

    /// - Throws: where the greeting is needed, and not there.
    init(greeting path: String, isResumed: Bool, world: World) throws {
        self.path = path
        files = world.files
        log = world.log
        self.isResumed = isResumed
        state = Mutex(State(greeting: isResumed ? try files.contents(of: path) : nil))
    }

    /// Once the greeting is answered.
    func askAgain(_ device: Int32) {
        guard isResumed else { return }
        var header = fuse_out_header(
            len: UInt32(MemoryLayout<fuse_out_header>.size), error: Self.askAgainCode, unique: 0)
        // An older kernel does not know that, and those who wait for an answer are interrupted by a person.
        _ = Glibc.write(device, &header, MemoryLayout<fuse_out_header>.size)
    }

    // MARK: In libfuse's place

    static var io: fuse_custom_io {
        var io = fuse_custom_io()
        io.read = { device, buffer, room, session in
            guard let buffer, let session else { return -1 }
            return FuseHandover.of(session).read(
                device, UnsafeMutableRawBufferPointer(start: buffer, count: room))
        }
        io.writev = { device, parts, count, session in
            guard let parts, let session else { return -1 }
            return FuseHandover.of(session).write(
                device, UnsafeMutableBufferPointer(start: parts, count: Int(count)))
        }
        io.splice_send = { source, sourceOffset, device, deviceOffset, count, flags, _ in
            basket_splice(source, sourceOffset, device, deviceOffset, count, flags)
        }
        return io
    }

    private static func of(_ session: UnsafeMutableRawPointer) -> FuseHandover {
        Unmanaged<FuseSession>.fromOpaque(session).takeUnretainedValue().whoReads
    }

    private func read(_ device: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let greeting = state.withLock { state in
            defer { state.greeting = nil }
            return state.greeting
        }
        if let greeting {
            guard greeting.count <= buffer.count else { return 0 }
            buffer.copyBytes(from: greeting)
            let header = buffer.loadUnaligned(as: fuse_in_header.self)
            state.withLock { $0.swallowed = header.unique }
            return greeting.count
        }
        let count = Glibc.read(device, buffer.baseAddress, buffer.count)
        if count >= MemoryLayout<fuse_in_header>.size {
            let header = buffer.loadUnaligned(as: fuse_in_header.self)
            if header.opcode == Self.greetingCode { keep(Array(buffer[..<count])) }
            if isResumed { note(isRepeated: header.unique & Self.repeatedMark != 0) }
        }
        return count
    }

    /// What this thread has read is handled on it, before it reads on.
    private func note(isRepeated: Bool) {
        let thread = UInt(pthread_self())
        state.withLock { state in
            if isRepeated { state.repeating.insert(thread) } else { state.repeating.remove(thread) }
        }
    }

    /// Whether what this thread has read last was asked before.
    var isRepeating: Bool {
        isResumed && state.withLock { $0.repeating.contains(UInt(pthread_self())) }
    }

    private func keep(_ greeting: [UInt8]) {
        do {
            try files.replace(path, with: greeting)
        } catch {
            log.error(
                "nobody can go on with this mount when this process ends",
                ["error": .text("\(error)")])
        }
    }

    private func write(_ device: Int32, _ parts: UnsafeMutableBufferPointer<iovec>) -> Int {
        if let swallowed = state.withLock({ $0.swallowed }), let first = parts.first,
            first.iov_len >= MemoryLayout<fuse_out_header>.size, let start = first.iov_base,
            start.loadUnaligned(as: fuse_out_header.self).unique == swallowed
        {
            state.withLock { $0.swallowed = nil }
            return parts.reduce(0) { $0 + $1.iov_len }
        }
        return writev(device, parts.baseAddress, Int32(parts.count))
    }
}
