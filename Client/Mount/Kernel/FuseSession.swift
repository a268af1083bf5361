import BasketSupport
import CFuse
import Glibc
import Synchronization

/// Answers the kernel's questions about one mount, by way of a server, until it is unmounted. Whoever else has the
/// device open can go on after this process with what it had not answered.
package final class FuseSession: @unchecked Sendable {
    // Unchecked: libfuse's session may be used from any thread, and is set once, before any is there.
    let server: any FolderServer
    private var raw: OpaquePointer!
    private let device: FuseDevice
    private let handover: FuseHandover
    private let waiting: WaitingQuestions
    private let world: World
    private let threads = Mutex<[Thread]>([])

    /// Questions that wait for the disk at a time.
    private static let threadCount = 8

    /// - Parameters:
    ///   - errands: has the kernel told what it has to forget.
    ///   - patience: so long programs wait for somebody who cannot be reached.
    package init(
        device: FuseDevice, server: any FolderServer, errands: any ErrandRunning,
        patience: Duration, world: World
    ) throws {
        self.server = server
        self.device = device
        self.world = world
        waiting = WaitingQuestions(patience: patience, world: world) { server.isCutOff }
        handover = FuseHandover(greeting: device.greeting, errands: errands)
        var operations = FuseOperations.make()
        let myself = Unmanaged.passUnretained(self).toOpaque()
        let name = strdup("basket")
        defer { free(name) }
        var words = [name, nil]
        let session = words.withUnsafeMutableBufferPointer { words in
            var arguments = fuse_args(argc: 1, argv: words.baseAddress, allocated: 0)
            return fuse_session_new(
                &arguments, &operations, MemoryLayout<fuse_lowlevel_ops>.size, myself)
        }
        guard let session else { throw MountError.refused("libfuse makes no session") }
        var io = FuseHandover.io
        // libfuse closes its own.
        let descriptor = fcntl(device.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, fuse_session_custom_io(session, &io, descriptor) == 0 else {
            fuse_session_destroy(session)
            if descriptor >= 0 { close(descriptor) }
            throw MountError.refused("libfuse does not take the device")
        }
        raw = session
    }

    deinit {
        if let raw { fuse_session_destroy(raw) }
    }

    static func of(_ request: fuse_req_t) -> FuseSession {
        Unmanaged<FuseSession>.fromOpaque(fuse_req_userdata(request)).takeUnretainedValue()
    }

    // MARK: Questions

    /// Begins to answer. Where another process had the device before, this one goes on where that one has ended.
    /// - Returns: whether a process after this one can do the same: a kernel before 6.9 does not ask anything again.
    package func start() -> Bool {
        // The greeting comes first, and before it nothing else can be understood.
        receiveOne()
        let asksAgain = handover.askAgain(device.descriptor)
        threads.withLock { threads in
            for number in 0..<Self.threadCount {
                threads.append(Thread(name: "mount \(number)") { self.receive() })
            }
        }
        return asksAgain
    }

    /// Returns when the folder is mounted no more.
    package func join() {
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { thread.join() }
    }

    private func receiveOne() {
        var buffer = fuse_buf()
        defer { free(buffer.mem) }
        while !receive(into: &buffer) {}
    }

    private func receive() {
        var buffer = fuse_buf()
        defer { free(buffer.mem) }
        while fuse_session_exited(raw) == 0 { _ = receive(into: &buffer) }
    }

    /// - Returns: whether a question was understood, or no further one comes.
    private func receive(into buffer: inout fuse_buf) -> Bool {
        let length = fuse_session_receive_buf(raw, &buffer)
        if length > 0 { fuse_session_process_buf(raw, &buffer) }
        if length < 0, length != -EINTR {
            world.log.error(
                "the kernel's questions cannot be read", ["error": .number(Int64(length))])
            fuse_session_exit(raw)
        }
        return length > 0 || fuse_session_exited(raw) != 0
    }

    func ask(_ request: FuseRequest, _ question: FuseQuestion) {
        let caller = request.caller(of: handover.question)
        let answering = Answering()
        let task = Task.immediate {
            let answer = await self.server.answer(question, from: caller)
            answering.isAnswered.withLock { $0 = true }
            let isRefused = self.waiting.remove(request.key)
            let isEnded = if case .failed(EINTR) = answer.reply { true } else { false }
            let reply = isRefused && isEnded ? .failed(EHOSTUNREACH) : answer.reply
            if let handle = request.send(reply) { self.server.abandon(handle) }
            answer.afterwards()
        }
        // While it is not answered, it is there: the answer waits for this to end.
        answering.isAnswered.withLock { isAnswered in
            guard !isAnswered else { return }
            waiting.add(request.key, question, answeredBy: task)
            fuse_req_interrupt_func(
                request.raw,
                { raw, _ in
                    if let raw { FuseSession.of(raw).waiting.interrupt(UInt(bitPattern: raw)) }
                }, nil)
        }
    }

    private final class Answering: Sendable {
        let isAnswered = Mutex(false)
    }

    // MARK: Rest

    /// Programs that wait for somebody else are told that nobody can be reached, from now on until `goOn`. Returns within a
    /// second.
    package func rest() { waiting.rest() }

    /// Whoever asks from now on is answered as ever.
    package func goOn() { waiting.goOn() }

    // MARK: What the kernel has to forget

    /// These wait for whoever has the folder locked: never to be called by who answers a question.
    package func forgetName(_ name: String, in folder: UInt64) {
        fuse_lowlevel_notify_inval_entry(raw, folder, name, name.utf8.count)
    }

    /// It is looked up before it is gone by the next time, and leads until then where it did. A kernel before 6.2 forgets it.
    package func doubtName(_ name: String, in folder: UInt64) {
        let error = fuse_lowlevel_notify_expire_entry(
            raw, folder, name, name.utf8.count, FUSE_LL_EXPIRE_ONLY)
        if error == -ENOSYS { forgetName(name, in: folder) }
    }

    /// As if somebody had removed it here.
    package func forgetRemoved(_ name: String, of node: UInt64, in folder: UInt64) {
        fuse_lowlevel_notify_delete(raw, folder, node, name, name.utf8.count)
    }

    package func forgetStatus(of node: UInt64) {
        fuse_lowlevel_notify_inval_inode(raw, node, -1, 0)
    }

    /// Its status, and all of its bytes.
    package func forgetContent(of node: UInt64) {
        fuse_lowlevel_notify_inval_inode(raw, node, 0, 0)
    }

    /// Its status, and some of its bytes.
    package func forget(_ bytes: Range<Int64>, of node: UInt64) {
        fuse_lowlevel_notify_inval_inode(raw, node, off_t(bytes.lowerBound), off_t(bytes.count))
    }

    /// What reads and writes the device in libfuse's place.
    var whoReads: FuseHandover { handover }
}
