import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// What lies between a device and its provider: it delays, and it loses what travels.
final class Network: Sendable {
    /// Whether the provider forgets what it has told this device.
    let forgets: Bool
    private let executor: SimulationExecutor
    private let folder: String
    private let state: Mutex<(isCut: Bool, files: Int, lossOneIn: Int, delay: Duration)>
    private let open = Mutex<[Int: Task<Void, Never>]>([:])
    private let connections = Mutex(0)
    private let count = Mutex(0)
    private let creations = Mutex(0)
    private let modifications = Mutex<[NSFileProviderItemFields]>([])
    private let refusals = Mutex<NSFileProviderError.Code?>(nil)
    let companion = CloudCompanion()
    private let repeats = Mutex(0)
    private let asked = Mutex<[Bool]>([])
    private let offers = Mutex<[String]>([])
    private let anchors = Mutex(0)
    private let pages = Mutex(0)
    private let leavesChanges = Mutex(false)
    private let notices = Mutex<[String: Int]>([:])
    private let cuts = Mutex(false)
    private let forgetsOnce = Mutex(false)
    private let ear = Mutex(Ear())
    private let sent = Mutex<[String]>([])
    private let reports = Mutex<Duration?>(nil)

    init(_ executor: SimulationExecutor, folder: String, lossOneIn: Int) {
        self.executor = executor
        forgets = lossOneIn > 0 && executor.random(2) == 0
        self.folder = folder
        state = Mutex((false, 0, lossOneIn, .zero))
    }

    var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { $0.isCut = newValue } }
    }

    /// One of so many exchanges is lost, on either way; with 0, none.
    var lossOneIn: Int {
        get { state.withLock { $0.lossOneIn } }
        set { state.withLock { $0.lossOneIn = newValue } }
    }

    /// One of so many questions arrives twice; with 0, none.
    var repetitionOneIn: Int {
        get { repeats.withLock { $0 } }
        set { repeats.withLock { $0 = newValue } }
    }

    /// Whether the present question arrives once more.
    var isRepeated: Bool {
        let oneIn = repetitionOneIn
        return oneIn > 0 && executor.random(oneIn) == 0
    }

    /// Whether answers may be cut in half.
    var cutsAnswers: Bool {
        get { cuts.withLock { $0 } }
        set { cuts.withLock { $0 = newValue } }
    }

    /// Whether the answer that comes just now ends in its middle.
    var breaksNow: Bool {
        let oneIn = lossOneIn
        return cutsAnswers && oneIn > 0 && executor.random(oneIn) == 0
    }

    func choose(_ count: Int) -> Int { executor.random(count) }

    /// What the device asked for since it was last looked.
    func takeSent() -> [String] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    /// Whoever looks for a mistake hears of everything.
    var listener: (@Sendable (String) -> Void)? {
        get { ear.withLock { $0.listener } }
        set { ear.withLock { $0.listener = newValue } }
    }

    /// By itself in the mutex, it would be wrapped once more each time that somebody looks at it.
    private struct Ear {
        var listener: (@Sendable (String) -> Void)?
    }

    func note(sent what: String) {
        listener?(what)
        sent.withLock { sent in
            if sent.count < Self.mostSent { sent.append(what) }
        }
    }

    private static let mostSent = 100

    /// So long everything takes.
    var delay: Duration {
        get { state.withLock { $0.delay } }
        set { state.withLock { $0.delay = newValue } }
    }

    /// So many questions for an anchor are not answered by one.
    var lostAnchors: Int {
        get { anchors.withLock { $0 } }
        set { anchors.withLock { $0 = newValue } }
    }

    /// Whether the present question for an anchor is not answered by one.
    func losesAnchor() -> Bool {
        anchors.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
    }

    /// So many questions for what follows on a page are not answered: the page has expired.
    var expiredPages: Int {
        get { pages.withLock { $0 } }
        set { pages.withLock { $0 = newValue } }
    }

    func requirePage() throws {
        let isExpired = pages.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if isExpired { throw NSFileProviderError(.pageExpired) }
    }

    /// The provider forgets once what it has told this device.
    func forgetOnce() { forgetsOnce.withLock { $0 = true } }

    func takeForgetting() -> Bool {
        forgetsOnce.withLock { forgets in
            defer { forgets = false }
            return forgets
        }
    }

    /// How often calls report that they have come on.
    var reportsEvery: Duration? {
        get { reports.withLock { $0 } }
        set { reports.withLock { $0 = newValue } }
    }

    /// With what the provider answers everything.
    var refusal: NSFileProviderError.Code? {
        get { refusals.withLock { $0 } }
        set { refusals.withLock { $0 = newValue } }
    }

    /// Whether the provider leaves changes for later.
    var keepsPending: Bool {
        get { leavesChanges.withLock { $0 } }
        set { leavesChanges.withLock { $0 = newValue } }
    }

    /// What was asked to be changed, each time.
    var modified: [NSFileProviderItemFields] { modifications.withLock { $0 } }

    func note(modified fields: NSFileProviderItemFields) {
        modifications.withLock { $0.append(fields) }
    }

    func happens(oneIn count: Int) -> Bool { executor.random(count) == 0 }

    /// Whether the provider says no to a name that is taken, rather than choosing another one.
    var refusesNames: Bool { executor.random(2) == 0 }

    /// What a storage does for this device, for as long as that listens.
    func connect(_ task: Task<Void, Never>) -> Int {
        let number = connections.withLock { count in
            count += 1
            return count
        }
        open.withLock { $0[number] = task }
        return number
    }

    func disconnect(_ number: Int) {
        open.withLock { _ = $0.removeValue(forKey: number) }
    }

    /// The device is not there any more.
    func hangUp() {
        let tasks = open.withLock { open in
            defer { open = [:] }
            return open
        }
        for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
    }

    /// What a call reports while it takes its time.
    /// - Parameter progress: moves so often; nil: stands still.
    func travel(reporting progress: Progress) async throws {
        guard let step = reportsEvery else { return try await travel() }
        progress.totalUnitCount = max(1, Int64(delay / step)) * 2
        var left = delay
        while left > .zero {
            try await executor.sleep(min(step, left))
            left -= step
            progress.completedUnitCount += 1
        }
        if isCut { throw NSFileProviderError(.serverUnreachable) }
    }

    func travel() async throws {
        // Now and then a large file is on its way.
        let isSlow = lossOneIn > 0 && executor.random(40) == 0
        try await executor.sleep(delay + .milliseconds(executor.random(isSlow ? 20_000 : 50)))
        if isCut { throw NSFileProviderError(.serverUnreachable) }
        if let refusal { throw NSFileProviderError(refusal) }
        if let failure = companion.failure { throw failure }
        let lossOneIn = lossOneIn
        if lossOneIn > 0, executor.random(lossOneIn) == 0 {
            throw CocoaError(.xpcConnectionInterrupted)
        }
    }

    /// An answer takes its time.
    func linger() async throws {
        if let pause = companion.pauseBeforeAnswers { try await executor.sleep(pause) }
    }

    var now: Duration { executor.time }

    /// How many bytes of parts were fetched.
    var fetched: Int { count.withLock { $0 } }

    /// How often it was asked to create something.
    var created: Int { creations.withLock { $0 } }

    /// Of each fetch, whether somebody waits for it, as the extension was told.
    var fetches: [Bool] { asked.withLock { $0 } }

    func noteFetch(isAwaited: Bool) {
        asked.withLock { $0.append(isAwaited) }
    }

    /// The older versions that were offered for what is the same in newer ones.
    var offered: [String] { offers.withLock { $0 } }

    func note(offered text: String) {
        offers.withLock { $0.append(text) }
    }

    func noteCreation() {
        creations.withLock { $0 += 1 }
    }

    /// How often the extension was told something, by what it is.
    var told: [String: Int] { notices.withLock { $0 } }

    func note(told what: String) {
        notices.withLock { $0[what, default: 0] += 1 }
    }

    func note(fetched bytes: Int) {
        count.withLock { $0 += bytes }
    }

    func temporaryFile(_ bytes: [UInt8], at offset: Int64 = 0) throws -> String {
        let number = state.withLock { state in
            state.files += 1
            return state.files
        }
        let path = "\(folder)/fetched-\(number)"
        let file = try LinuxFileSystem().create(path)
        try file.write(bytes, at: offset)
        return path
    }

    func read(_ url: URL?) throws -> String? {
        guard let url else { return nil }
        return String(decoding: try LinuxFileSystem().contents(of: url.path), as: UTF8.self)
    }
}
