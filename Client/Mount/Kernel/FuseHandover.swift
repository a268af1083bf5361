import BasketSupport
import CFuse
import Glibc
import Synchronization

/// Lets one process go on where another one has ended, with one device: the kernel greets whoever answers first, and
/// nobody else. So whoever mounts hears the greeting and keeps it, and each process is told it as if the kernel had
/// said it; the kernel takes the first answer alone.
final class FuseHandover: Sendable {
    private struct State {
        /// What is still to be said to libfuse.
        var greeting: [UInt8]?
        /// Whose answer the kernel may have had already.
        var greeted: UInt64?
        /// What each thread has read last, by the kernel's number.
        var questions: [UInt: UInt64] = [:]
        /// Threads of which all that they read questions to is in memory: each has one buffer, for as long as it reads.
        var readers: Set<UInt> = []
    }

    private let state: Mutex<State>
    private let errands: any ErrandRunning

    /// With what the kernel marks a question that it asks again.
    private static let repeatedMark: UInt64 = 1 << 63
    /// Has the kernel ask again what was asked and not answered. Kernels before 6.9 do not know it.
    private static let askAgainCode: Int32 = 7

    init(greeting: [UInt8], errands: any ErrandRunning) {
        self.errands = errands
        state = Mutex(State(greeting: greeting))
    }

    /// Has the kernel ask again what a process before this one has heard, and not answered. Once it was greeted.
    /// - Returns: whether the kernel knows that.
    func askAgain(_ device: Int32) -> Bool {
        var header = fuse_out_header(
            len: UInt32(MemoryLayout<fuse_out_header>.size), error: Self.askAgainCode, unique: 0)
        return Glibc.write(device, &header, MemoryLayout<fuse_out_header>.size) > 0
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
        let (greeting, isNew) = state.withLock { state in
            defer { state.greeting = nil }
            return (state.greeting, state.readers.insert(UInt(pthread_self())).inserted)
        }
        // Where the kernel has to find memory first and this process is killed meanwhile, whoever asks is told of an error.
        if isNew { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
        if let greeting {
            guard greeting.count <= buffer.count else { return 0 }
            buffer.copyBytes(from: greeting)
            let header = buffer.loadUnaligned(as: fuse_in_header.self)
            state.withLock { $0.greeted = header.unique }
            return greeting.count
        }
        let count = Glibc.read(device, buffer.baseAddress, buffer.count)
        if count >= MemoryLayout<fuse_in_header>.size {
            let header = buffer.loadUnaligned(as: fuse_in_header.self)
            // It is handled on this thread, before it reads on.
            state.withLock { $0.questions[UInt(pthread_self())] = header.unique }
        }
        return count
    }

    /// What this thread has read last, and whether it was asked before.
    var question: (number: UInt64, isRepeated: Bool) {
        let number = state.withLock { $0.questions[UInt(pthread_self())] } ?? 0
        return (number & ~Self.repeatedMark, number & Self.repeatedMark != 0)
    }

    private func write(_ device: Int32, _ parts: UnsafeMutableBufferPointer<iovec>) -> Int {
        let question = Self.question(answeredBy: parts)
        if question == nil, Self.mayWait(parts) { return tell(parts) }
        let count = writev(device, parts.baseAddress, Int32(parts.count))
        guard count < 0, errno == ENOENT else { return count }
        guard let greeted = state.withLock({ $0.greeted }), question == greeted else {
            errno = ENOENT
            return count
        }
        // A process before this one has answered it.
        state.withLock { $0.greeted = nil }
        return parts.reduce(0) { $0 + $1.iov_len }
    }

    /// Nil for what answers nothing.
    private static func question(
        answeredBy parts: UnsafeMutableBufferPointer<iovec>
    ) -> UInt64? {
        guard let first = parts.first, first.iov_len >= MemoryLayout<fuse_out_header>.size,
            let start = first.iov_base
        else { return nil }
        let number = start.loadUnaligned(as: fuse_out_header.self).unique
        return number == 0 ? nil : number
    }

    /// Whether the kernel may have to wait before it forgets that: of what it knows of a status, it forgets at once.
    private static func mayWait(_ parts: UnsafeMutableBufferPointer<iovec>) -> Bool {
        guard parts.count == 2, let start = parts[0].iov_base, let rest = parts[1].iov_base,
            parts[1].iov_len >= MemoryLayout<fuse_notify_inval_inode_out>.size,
            start.loadUnaligned(as: fuse_out_header.self).error
                == Int32(FUSE_NOTIFY_INVAL_INODE.rawValue)
        else { return true }
        return rest.loadUnaligned(as: fuse_notify_inval_inode_out.self).off >= 0
    }

    /// Waits for it elsewhere.
    private func tell(_ parts: UnsafeMutableBufferPointer<iovec>) -> Int {
        let words = parts.flatMap { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) }
        let code = errands.run(.tell(words)) { _ in }
        guard code == 0 else {
            errno = code
            return -1
        }
        return words.count
    }
}
