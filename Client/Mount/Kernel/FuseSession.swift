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
    /// Those whose answers take their time, by their requests.
    private let waiting = Mutex<[UInt: Waiting]>([:])
    private let isResting = Mutex(false)
    private let world: World
    private let threads = Mutex<[Thread]>([])

    /// Questions that wait for the disk at a time.
    private static let threadCount = 8

    /// - Parameter errands: has the kernel told what it has to forget.
    package init(
        device: FuseDevice, server: any FolderServer, errands: any ErrandRunning, world: World
    ) throws {
        self.server = server
        self.device = device
        self.world = world
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
        let caller = request.caller(isRepeated: handover.isRepeating)
        let answering = Answering()
        let task = Task.immediate {
            let answer = await self.server.answer(question, from: caller)
            answering.isAnswered.withLock { $0 = true }
            self.waiting.withLock { $0[request.key] = nil }
            let reply = self.isRefused(answer.reply) ? .failed(EHOSTUNREACH) : answer.reply
            if let handle = request.send(reply) { self.server.abandon(handle) }
            answer.afterwards()
        }
        // While it is not answered, it is there: the answer waits for this to end.
        answering.isAnswered.withLock { isAnswered in
            guard !isAnswered else { return }
            waiting.withLock {
                $0[request.key] = Waiting(task: task, began: world.uptime(), question: question)
            }
            fuse_req_interrupt_func(
                request.raw,
                { raw, _ in
                    if let raw { FuseSession.of(raw).interrupt(FuseRequest(raw: raw, capacity: 0)) }
                }, nil)
        }
    }

    private func interrupt(_ request: FuseRequest) {
        waiting.withLock { $0[request.key]?.task }?.cancel()
    }

    private final class Answering: Sendable {
        let isAnswered = Mutex(false)
    }

    private struct Waiting {
        let task: Task<Void, Never>
        let began: Duration
        /// Nobody waits for the end of a file that is closed, and what was written to it is noted then.
        let isClosing: Bool

        init(task: Task<Void, Never>, began: Duration, question: FuseQuestion) {
            (self.task, self.began) = (task, began)
            isClosing = if case .release = question { true } else { false }
        }
    }

    // MARK: Rest

    /// What is done on this machine is done sooner.
    private static let patienceAtRest = Duration.milliseconds(300)
    private static let mostTurnsToRest = 8
    private static let longestRest = 600
    private static let turn = Duration.milliseconds(100)

    /// Programs that wait for somebody else are told that nobody can be reached, from now on until `goOn`: a machine does not
    /// fall asleep while they wait, and whom they wait for does not answer when it does. Returns within a second.
    package func rest() {
        isResting.withLock { $0 = true }
        let pause = Semaphore()
        for _ in 0..<Self.mostTurnsToRest where !endWaits() { _ = pause.wait(upTo: Self.turn) }
        Thread(name: "rest") { [weak self] in
            // Time stands still while the machine sleeps. Where nobody says that it is awake again, it is.
            for _ in 0..<Self.longestRest {
                guard let self, self.isResting.withLock({ $0 }) else { return }
                self.endWaits()
                _ = pause.wait(upTo: Self.turn)
            }
            self?.goOn()
        }.detach()
    }

    /// Whoever asks from now on is answered as ever.
    package func goOn() {
        isResting.withLock { $0 = false }
    }

    /// - Returns: whether nobody waits.
    @discardableResult
    private func endWaits() -> Bool {
        let now = world.uptime()
        let tasks = waiting.withLock { $0.values.filter { !$0.isClosing } }
        for waiting in tasks where now - waiting.began >= Self.patienceAtRest {
            waiting.task.cancel()
        }
        return tasks.isEmpty
    }

    /// Whether an answer says no more than that the wait for it was ended.
    private func isRefused(_ reply: FuseReply) -> Bool {
        guard case .failed(EINTR) = reply else { return false }
        return isResting.withLock { $0 }
    }

    // MARK: What the kernel has to forget

    /// These wait for whoever has the folder locked: never to be called by who answers a question.
    package func forgetName(_ name: String, in folder: UInt64) {
        fuse_lowlevel_notify_inval_entry(raw, folder, name, name.utf8.count)
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
