import BasketConnection
import BasketDatabase
import BasketProvider
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

/// A domain as the client's program hosts it: replica, host, and Basket's extension, against a real server.
final class HostedDomain: Sendable {
    let replica: Replica
    let host: DomainHost
    let transport: CountingTransport
    private let system: DomainSystem
    private let provider: BasketExtension
    private let world = World.live(log: .silent)
    private let work: OneTask

    init(_ order: Order) async throws {
        guard let server = order.server, let token = order.token else {
            throw BenchError("a server and a token are needed")
        }
        let endpoint = try ServerEndpoint(server)
        replica = try await Self.openReplica(order)
        system = try DomainSystem(folder: order.folder, world: world)
        let domain = NSFileProviderDomain(
            record: DomainRecord(identifier: .init("Work"), displayName: "Work"), system: system)
        let transport = CountingTransport(CurlTransport(endpoint))
        self.transport = transport
        let world = world
        provider = BasketExtension(
            domain: domain,
            environment: ProviderEnvironment(
                world: world, domain: "Work", deviceName: "benchmark",
                credentials: FixedLogIn(token: token), events: EventRegistry(), server: server
            ) { token in
                ServerConnection(
                    transport: transport, credentials: .token(token), world: world,
                    compresses: !endpoint.isLocal)
            })
        host = DomainHost(replica: replica, provider: provider, world: world)
        work = OneTask()
        system.serve(host)
    }

    static func openReplica(_ order: Order) async throws -> Replica {
        let world = World.live(log: .silent)
        try world.files.makeFolder(order.folder)
        return try await Replica(
            folder: order.folder, rule: .posix, boot: "1", world: world
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) {
                try Replica.openConnection(path)
            }
        }
    }

    func start() {
        let host = host
        work.begin(world) { await host.run() }
    }

    /// Lets go of what is under way; another start goes on.
    func pause() async {
        await work.end()
    }

    func stop() async {
        await pause()
        provider.invalidate()
        replica.close()
    }

    func nodeCount() throws -> Int {
        try replica.read { try $0.db.value("SELECT count(*) FROM node") ?? 0 }
    }

    /// Some files of the domain, far from each other.
    func files(_ count: Int) throws -> [NodeID] {
        try Self.files(count, of: replica)
    }

    static func files(_ count: Int, of replica: Replica) throws -> [NodeID] {
        try replica.read { reader in
            let last = try reader.db.value("SELECT max(id) FROM node", of: Int64.self) ?? 0
            var found: [NodeID] = []
            for place in 0..<count {
                let from = last / Int64(count) * Int64(place)
                let id = try reader.db.value(
                    "SELECT id FROM node WHERE id > ? AND kind = 1 LIMIT 1", from, of: NodeID.self)
                if let id { found.append(id) }
            }
            return found
        }
    }
}
