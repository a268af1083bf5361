import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderMount
import FileProviderReplica
import Foundation
import Glibc
import Synchronization

/// Sees to it that a process hosts a domain: starts the next one when it ends, and hands the mount over to it, so that
/// programs that have something open there notice nothing but a pause.
final class DomainSupervisor: Sendable {
    /// How a domain is hosted.
    enum Stage: Sendable, Equatable {
        case starting
        case serving
        /// It ends again and again, and why.
        case failing(String)
        case stopped
    }

    /// What a domain needs that nobody else has.
    struct Task: Sendable {
        let record: DomainRecord
        let folders: DomainFolders
        let socket: String
        let boot: String
        /// The program that hosts domains, what it is called, and how.
        let image: String
        let program: String
        let words: [String]
    }

    private struct State {
        init(_ device: FuseDevice?) {
            (self.device, isResumed) = (device, device != nil)
        }

        var stage = Stage.starting
        var link: HostLink?
        var child: ChildProcess?
        /// While it is mounted.
        var device: FuseDevice?
        /// Whether a process has answered for it.
        var isResumed = false
        var canBeHandedOver = false
        var isStopping = false
        /// Those who wait for how the first start goes.
        var waiting: [CheckedContinuation<Void, any Error>] = []
        /// Why the last one has ended, in its own words.
        var reason: String?
        /// Whether somebody has asked for another attempt than the one that goes on.
        var isAskedAgain = false
    }

    /// How often it is looked whether one that serves is stuck: nobody else would notice.
    private static let patienceForStuckOnes = timeval(tv_sec: 15, tv_usec: 0)
    /// Whose last threads have the disk to wait for ends by itself.
    private static let patienceForLastThreads = timeval(tv_sec: 2, tv_usec: 0)
    private static let patienceForUnmounting = Duration.seconds(3)
    private static let patienceForEnding = Duration.seconds(20)

    private let task: Task
    private let patienceForServing: timeval
    private let world: World
    private let setDidChange: @Sendable (ItemSet) -> Void
    private let state: Mutex<State>
    private let errands = ErrandRunners()
    private let wake = Semaphore()
    private let ended = Semaphore()

    /// - Parameters:
    ///   - device: of a mount for which a process before this one's has answered.
    ///   - patienceForServing: a host that says nothing for so long while programs wait is one that does not come.
    init(
        _ task: Task, device: FuseDevice?,
        patienceForServing: timeval = timeval(tv_sec: 20, tv_usec: 0), world: World,
        setDidChange: @escaping @Sendable (ItemSet) -> Void
    ) {
        self.task = task
        self.patienceForServing = patienceForServing
        state = Mutex(State(device))
        self.world = world
        self.setDidChange = setDidChange
        Thread(name: "supervisor") { [self] in supervise() }.detach()
    }

    var stage: Stage { state.withLock { $0.stage } }
    var process: Int32? { state.withLock { $0.child?.number } }
    var record: DomainRecord { task.record }
    var folders: DomainFolders { task.folders }
    var socket: String { task.socket }

    /// Returns once the domain is hosted; throws when the first attempt has failed, though others follow.
    func waitForFirstStart() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = state.withLock { state in
                switch state.stage {
                case .serving: return .success(())
                case .failing(let reason): return .failure(HostingError.failing(reason))
                case .stopped: return .failure(HostingError.stopped)
                case .starting:
                    state.waiting.append(continuation)
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Somebody asks for a domain whose host does not come up: what failed before says nothing of another attempt.
    func tryAgain() {
        let isFailing = state.withLock { state in
            guard case .failing = state.stage else { return false }
            state.stage = .starting
            state.isAskedAgain = true
            return true
        }
        if isFailing { wake.signal() }
    }

    private func set(_ stage: Stage) {
        let waiting = state.withLock { state in
            state.stage = stage
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting {
            switch stage {
            case .failing(let reason): continuation.resume(throwing: HostingError.failing(reason))
            case .stopped: continuation.resume(throwing: HostingError.stopped)
            case .starting, .serving: continuation.resume()
            }
        }
    }

    // MARK: One process after another

    private func supervise() {
        var deaths = DeathCount()
        while !state.withLock({ $0.isStopping }) {
            state.withLock { $0.isAskedAgain = false }
            let reason = hostOnce()
            if state.withLock({ $0.isStopping }) { break }
            world.log.error(
                "a domain's host has ended",
                [
                    "domain": .text(task.record.identifier.rawValue),
                    "reason": .text(reason ?? "by itself"),
                ])
            deaths.note(at: world.uptime())
            let (isSame, stage, isAskedAgain) = state.withLock {
                ($0.canBeHandedOver, $0.stage, $0.isAskedAgain)
            }
            // This attempt was begun before somebody asked for another one, which follows at once.
            if !(isAskedAgain && stage == .starting) {
                set(stage == .serving ? .starting : .failing(reason ?? "it has ended by itself"))
            }
            // What programs wait for may be what it dies of.
            if deaths.takeTooMany() || !isSame { detach() }
            if let pause = deaths.pause { _ = wake.wait(upTo: pause) }
        }
        detach()
        errands.stop()
        set(.stopped)
        ended.signal()
    }

    /// - Returns: why it has ended; nil for no reason that is known.
    private func hostOnce() -> String? {
        var reason: String?
        do {
            let (ours, child) = try startProcess()
            ours.limitWaiting(to: patienceForServing)
            state.withLock { state in
                (state.link, state.child) = (ours, child)
                state.canBeHandedOver = true
                state.reason = nil
                if state.isStopping { ours.shut() }
            }
            do {
                try ours.send(order())
                try listen(ours, to: child)
            } catch HostLink.Failure.ended {
                // How, its status says.
            } catch {
                reason = "\(error)"
                child.kill(SIGKILL)
            }
            ours.shut()
            let status = child.wait()
            reason = state.withLock { $0.reason } ?? reason ?? status
        } catch {
            reason = "\(error)"
        }
        state.withLock { ($0.link, $0.child) = (nil, nil) }
        return reason
    }

    /// The other end of the link is the process's alone: with it, the link ends.
    private func startProcess() throws -> (HostLink, ChildProcess) {
        let (ours, theirs) = try HostLink.pair()
        return (ours, try ChildProcess(task.program, task.words, image: task.image, link: theirs))
    }

    private func order() throws -> HostOrder {
        HostOrder(
            domain: Data(try DomainRecordCoding.encode(task.record, place: task.folders.place)),
            replica: task.folders.replica, place: task.folders.place, boot: task.boot,
            socket: task.socket)
    }

    private func listen(_ link: HostLink, to child: ChildProcess) throws {
        var wasStuck = false
        while true {
            let news: HostLink.Message<HostNews>
            do {
                news = try link.receive(HostNews.self)
            } catch HostLink.Failure.silent {
                // Who waits in the folder is told of an error, and whoever comes later is served when there is somebody.
                let isStuck = child.isStuck(world.files)
                if stage != .serving || isStuck && wasStuck { detach() }
                if isStuck && wasStuck { throw HostingError.stuck }
                if isStuck { link.limitWaiting(to: Self.patienceForLastThreads) }
                wasStuck = isStuck
                continue
            }
            switch news.content {
            // Nobody has waited in vain for it so far.
            case .coming: break
            case .ready: try handMountOver(to: link)
            case .serving(let canBeHandedOver):
                link.limitWaiting(to: Self.patienceForStuckOnes)
                state.withLock { $0.canBeHandedOver = canBeHandedOver }
                set(.serving)
            case .changed(let number):
                if let set = ItemSet(rawValue: number) { setDidChange(set) }
            case .errands: runErrands(of: news.descriptor)
            case .failed(let reason): state.withLock { $0.reason = reason }
            }
        }
    }

    /// What waits in the kernel for a program waits here: the program may be waiting for the next host.
    private func runErrands(of link: Int32?) {
        guard let link else { return }
        let errandLink = ErrandLink(descriptor: link)
        guard let device = state.withLock({ $0.device }) else { return }
        errands.serve(errandLink, on: device)
    }

    // MARK: The mount

    private func handMountOver(to link: HostLink) throws {
        let (device, isResumed) = try state.withLock { state in
            // Whoever stops this has unmounted it, and it stays so.
            guard !state.isStopping else { throw HostingError.stopped }
            if state.device == nil {
                try world.files.makeFolder(task.folders.place)
                try StrayFiles(place: task.folders.place, world: world).putAside()
            }
            let device =
                try state.device
                ?? FuseDevice.mount(at: task.folders.place, name: task.record.displayName)
            defer { (state.device, state.isResumed) = (device, true) }
            return (device, state.isResumed)
        }
        try link.send(
            MountOrder(
                greeting: Data(device.greeting), isResumed: isResumed, number: device.number,
                runners: errands.numbers),
            with: device.descriptor)
    }

    /// Lets go of the mount: whoever has something open in it is told of an error from now on.
    private func detach() {
        let device = state.withLock { state in
            defer { (state.device, state.isResumed) = (nil, false) }
            if state.device != nil {
                try? FuseDevice.unmount(task.folders.place, atAnyCost: true)
            }
            return state.device
        }
        device?.abort()
    }

    // MARK: Another daemon

    private static let patienceForErrands = Duration.seconds(3)

    /// Whether another daemon can go on with the mount, if there is one. Errands wait for that.
    func prepareToLeave() async -> Bool {
        let canLeave = state.withLock { state in
            state.device == nil || state.stage == .serving && state.canBeHandedOver
        }
        guard canLeave else { return false }
        // A thread that waits in the kernel for the host would keep the next program from beginning.
        let isQuiet = try? await Waiting.onThread { [errands] in
            errands.close(waitingUpTo: Self.patienceForErrands)
        }
        return isQuiet == true
    }

    func stay() {
        errands.reopen()
    }

    /// Returns when nobody hosts the domain any more, which is mounted as before. Whatever the host has told a program to be
    /// done is as safe as when one dies.
    func leave() async -> LeftMount? {
        let (device, child) = state.withLock { state in
            state.isStopping = true
            defer { state.device = nil }
            return (state.device, state.child)
        }
        child?.kill(SIGKILL)
        wake.signal()
        _ = try? await Waiting.onThread { [ended] in
            defer { ended.signal() }
            _ = ended.wait(upTo: Self.patienceForEnding)
        }
        guard let device else { return nil }
        let left = LeftMount(
            domain: task.record.identifier.rawValue, place: task.folders.place, device: device)
        // It stays open to the end of this program.
        _ = Unmanaged.passRetained(device)
        return left
    }

    // MARK: The end

    /// Returns when nobody hosts the domain any more.
    /// - Parameter atAnyCost: also where programs have something open in it.
    /// - Throws: `HostingError.inUse`, and hosts it on.
    func stop(atAnyCost: Bool) async throws {
        try await unmount(atAnyCost: atAnyCost)
        wake.signal()
        let link = state.withLock { $0.link }
        link?.shut()
        let child = state.withLock { $0.child }
        try await Waiting.onThread { [ended] in
            // Others may want it to end as well.
            defer { ended.signal() }
            if ended.wait(upTo: Self.patienceForEnding) { return }
            child?.kill(SIGKILL)
            ended.wait()
        }
    }

    private func unmount(atAnyCost: Bool) async throws {
        let deadline = world.uptime() + Self.patienceForUnmounting
        while true {
            let isDone = state.withLock { state in
                state.isStopping = true
                if state.device == nil { return true }
                do {
                    try FuseDevice.unmount(task.folders.place, atAnyCost: atAnyCost)
                    // Who waits in it, also for somebody else, waits no more.
                    if atAnyCost { state.device?.abort() }
                    state.device = nil
                    return true
                } catch {
                    state.isStopping = atAnyCost
                    return atAnyCost
                }
            }
            if isDone { return }
            guard world.uptime() < deadline else { break }
            try await world.sleep(.milliseconds(100))
        }
        let holders = MountHolders.find(in: task.folders.place, world.files)
        throw HostingError.inUse(
            folder: task.folders.place, by: holders.map { "\($0.name) (\($0.process), \($0.path))" }
        )
    }
}
