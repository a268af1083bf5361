import BasketAPI
import BasketConnection
import BasketModels
import BasketProvider
import BasketStore
import BasketSupport
import BasketUpkeep
import FileProvider
import Foundation
import Synchronization

/// Basket's server, but for HTTP's bytes: all of its rules, its database, its blobs, on the virtual clock.
final class ServerStorage: Storage {
    struct State {
        /// Nil while it is off.
        var server: ServerProcess?
        var tokens: [String: String] = [:]
        /// What was found that must never be.
        var oddities: [String] = []
        /// What the feed told, at some moments.
        var listings: [FeedListing] = []
        /// Texts of long contents, by what they are called.
        var texts: [String: String] = [:]
        /// Accounts of people who have come later, on devices that are called like them.
        var guests: Set<String> = []
        /// How far the witness was heard.
        var lastOddity: Int64 = 0
        var lastDeparture: Int64 = 0
        var lastCopy: Int64 = 0
    }

    let run: Run
    let executor: SimulationExecutor
    let folder: DataFolder
    let disk = SimulatedDisk()
    let state = Mutex(State())

    init(_ run: Run, folder path: String, executor: SimulationExecutor) async throws {
        self.run = run
        self.executor = executor
        folder = DataFolder(path: path + "/server")
        try folder.create(LinuxFileSystem())
        if run.disksForgetNames { try disk.forgetNames(keeping: path + "/server-graves") }
        try await start()
        try await furnish()
    }

    /// The one that runs.
    var server: ServerProcess? { state.withLock { $0.server } }

    func requireServer() throws -> ServerProcess {
        guard let server else { throw IsOff() }
        return server
    }

    /// Nobody can look into it just now.
    struct IsOff: Error {}

    // MARK: Who is who

    static let accounts = ["ann", "bea", "cyd"]
    static let work = "Work"
    static let own = "Own"

    /// One device is another account's, which shares the domain; some are in that account's own.
    func account(of device: String) -> String {
        if state.withLock({ $0.guests.contains(device) }) { return device }
        guard run.hasStrangers, let number = device.last?.wholeNumberValue else { return "ann" }
        return number == 1 || number > 2 ? "bea" : "ann"
    }

    func domainName(of device: String) -> String {
        guard run.hasStrangers, let number = device.last?.wholeNumberValue else { return Self.work }
        return number > 2 ? Self.own : Self.work
    }

    func identity(of account: String) throws -> Identity {
        let found = try requireServer().store.read { try $0.account(named: account) }
        return Identity(
            account: found.number, accountName: account,
            role: account == "ann" ? .administrator : .member, device: nil, deviceName: "")
    }

    private func furnish() async throws {
        let server = try requireServer()
        let hash = try await server.service.authenticator.hash(password: "password")
        for name in run.hasStrangers ? Self.accounts : ["ann"] {
            try await server.store.write {
                try $0.createAccount(
                    name, displayName: nil, role: name == "ann" ? .administrator : .member,
                    quota: nil, password: hash)
            }
        }
        let (ann, rule) = (try identity(of: "ann"), run.caseRule)
        try await server.store.write(as: ann) {
            _ = try $0.createDomain(Self.work, caseRule: rule, hasTrash: true, quota: nil)
        }
        guard run.hasStrangers else { return }
        try await server.store.write(as: try identity(of: "bea")) {
            _ = try $0.createDomain(Self.own, caseRule: rule, hasTrash: true, quota: nil)
        }
        try await server.store.write(as: ann) {
            let domain = try $0.db.domain(Self.work, for: ann)
            try $0.setMember("bea", role: .writer, of: domain)
        }
    }

    // MARK: Devices

    func makeExtension(
        for device: String, domain: NSFileProviderDomain, network: Network, world: World
    ) async throws -> any NSFileProviderReplicatedExtension & Sendable {
        let token = try await token(for: device)
        let transport = ServiceTransport(self, network: network, device: device)
        let environment = ProviderEnvironment(
            world: world, domain: domainName(of: device), deviceName: device,
            credentials: FixedCredentials(token: token), events: EventRegistry(), server: device,
            // Long files come in parts of 64 KiB here.
            shortestCheckedPart: 48 << 10
        ) { token in
            ServerConnection(transport: transport, credentials: .token(token), world: world)
        }
        return BasketExtension(domain: domain, environment: environment)
    }

    /// Where the server may be off, a device logs in once.
    private func token(for device: String) async throws -> String {
        if run.habits >= .third, let known = state.withLock({ $0.tokens[device] }) { return known }
        let identity = try identity(of: account(of: device))
        let token = try await requireServer().service.authenticator.openSession(
            for: identity, device: device, lifetime: nil, address: "127.0.0.1"
        ).token
        state.withLock { $0.tokens[device] = token }
        return token
    }

    /// Asks the server as somebody, over no network at all.
    func connection(for device: String) async throws -> ServerConnection {
        let token = try await token(for: device)
        return ServerConnection(
            transport: ServiceTransport(self, network: nil, device: device),
            credentials: .token(token), world: executor.world())
    }

    // MARK: Afterwards

    func rank(of version: Data) -> Int64? {
        Version(String(decoding: version, as: UTF8.self))?.rawValue
    }

    var mergesAttributes: Bool { true }

    func note(oddity: String) {
        state.withLock { $0.oddities.append(oddity) }
    }

    func complaints() async throws -> [String] {
        let server = try requireServer()
        return try await secretsTold()
            + Check(
                database: folder.database, blobs: server.blobs, world: server.world
            ).run(isDeep: true).map(\.message)
    }

    func close() async {
        let server = state.withLock { $0.server.take() }
        server?.store.hub.close()
        server?.kill()
    }
}
