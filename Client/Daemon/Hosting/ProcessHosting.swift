import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Synchronization

/// Has each domain hosted by a process of its own.
final class ProcessHosting: DomainHosting {
    typealias SetDidChange = @Sendable (ItemSet, NSFileProviderDomainIdentifier) -> Void

    private struct State {
        var supervisors: [NSFileProviderDomainIdentifier: DomainSupervisor] = [:]
        var setDidChange: SetDidChange = { _, _ in }
        /// What a daemon before this one has left, of domains that are not hosted yet.
        var left: [String: LeftMount]
    }

    private let program: String
    private let image: String
    private let sockets: String
    private let boot: String
    private let world: World
    private let state: Mutex<State>

    /// - Parameters:
    ///   - program: what is started with `host DOMAIN`.
    ///   - image: where that lies, whatever has become of the file that had its name.
    ///   - sockets: the folder of the control sockets.
    ///   - mounts: what a daemon before this one has left.
    init(
        program: String, image: String, sockets: String, boot: String, mounts: [LeftMount],
        world: World
    ) {
        let left = mounts.map { ($0.domain, $0) }
        state = Mutex(State(left: Dictionary(left) { one, _ in one }))
        self.program = program
        self.image = image
        self.sockets = sockets
        self.boot = boot
        self.world = world
    }

    /// Hears which of the sets of a domain has other items than before.
    func onSetChange(_ body: @escaping SetDidChange) {
        state.withLock { $0.setDidChange = body }
    }

    func start(_ record: DomainRecord, in folders: DomainFolders) async throws {
        let domain = record.identifier
        let supervisor = state.withLock { state in
            if let known = state.supervisors[domain] {
                known.tryAgain()
                return known
            }
            let supervisor = DomainSupervisor(
                DomainSupervisor.Task(
                    record: record, folders: folders,
                    socket: "\(sockets)/domain-\(Self.socketName(of: domain)).sock",
                    boot: boot, image: image, program: program, words: ["host", domain.rawValue]),
                device: state.left.removeValue(forKey: domain.rawValue)?.device, world: world
            ) { [weak self] set in self?.tell(of: set, in: domain) }
            state.supervisors[domain] = supervisor
            return supervisor
        }
        try await supervisor.waitForFirstStart()
    }

    /// The same again whenever the domain is hosted: whoever asks there asks nobody else.
    private static func socketName(of domain: NSFileProviderDomainIdentifier) -> String {
        let name = domain.rawValue
        let isPlain = name.utf8.allSatisfy { byte in
            byte < 0x80
                && (Character(UnicodeScalar(byte)).isLetter
                    || Character(UnicodeScalar(byte)).isNumber)
        }
        // Paths of sockets are short.
        if isPlain, (1...32).contains(name.utf8.count) { return name }
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "~" + String(hash, radix: 36)
    }

    private func tell(of set: ItemSet, in domain: NSFileProviderDomainIdentifier) {
        state.withLock { $0.setDidChange }(set, domain)
    }

    func stop(_ domain: NSFileProviderDomainIdentifier) async throws {
        try await stop(domain, atAnyCost: false)
    }

    private func stop(
        _ domain: NSFileProviderDomainIdentifier, atAnyCost: Bool
    ) async throws {
        guard let supervisor = supervisor(of: domain) else { return }
        try await supervisor.stop(atAnyCost: atAnyCost)
        state.withLock { _ = $0.supervisors.removeValue(forKey: domain) }
    }

    /// Ends all of them: those whose folders are in use, after a moment.
    func stopAll() async {
        let domains = state.withLock { Array($0.supervisors.keys) }
        await withTaskGroup(of: Void.self) { group in
            for domain in domains {
                group.addTask {
                    do {
                        try await self.stop(domain, atAnyCost: false)
                    } catch {
                        self.world.log.warning(
                            "a folder is taken away from those who use it",
                            ["domain": .text(domain.rawValue), "reason": .text("\(error)")])
                        try? await self.stop(domain, atAnyCost: true)
                    }
                }
            }
        }
    }

    // MARK: Another daemon

    /// Leaves all mounts to the next daemon. Nothing is hosted any more then.
    /// - Returns: nil, and all goes on as before, where one of them cannot be left.
    func leaveAll() async -> [LeftMount]? {
        let supervisors = state.withLock { Array($0.supervisors.values) }
        for (index, supervisor) in supervisors.enumerated() {
            if await supervisor.prepareToLeave() { continue }
            for supervisor in supervisors[..<index] { supervisor.stay() }
            return nil
        }
        return await withTaskGroup(of: LeftMount?.self) { group in
            for supervisor in supervisors { group.addTask { await supervisor.leave() } }
            return await group.reduce(into: []) { all, left in all += [left].compactMap(\.self) }
        }
    }

    /// Once all domains are hosted that can be: what was left of others.
    func forgetLeft() -> [LeftMount] {
        state.withLock { state in
            defer { state.left = [:] }
            return Array(state.left.values)
        }
    }

    func supervisor(of domain: NSFileProviderDomainIdentifier) -> DomainSupervisor? {
        state.withLock { $0.supervisors[domain] }
    }

    /// Nobody in this process answers for a domain: programs ask at its control socket.
    func system(of domain: NSFileProviderDomainIdentifier) -> (any FileProviderSystem)? { nil }
}
