import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica

/// What somebody else changes, until it is in the replica.
struct Hearing {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    func run() async throws {
        guard let server = order.server, let token = order.token else {
            throw BenchError("a server and a token are needed")
        }
        let domain = try await HostedDomain(order)
        domain.start()
        try await domain.host.waitForRest()
        let other = ServerConnection(
            transport: CurlTransport(try ServerEndpoint(server)), credentials: .token(token),
            world: .live(log: .silent), compresses: false)
        let request = CreateItemRequest(parent: "root", name: "told", kind: .folder)
        let id = try await other.create(request, in: "Work").item.id
        try await domain.wait(until: "told", is: id)
        var times: [Double] = []
        for number in 0..<(order.count ?? 200) {
            var change = ChangeItemRequest()
            change.name = "told \(number)"
            let stopwatch = Stopwatch()
            _ = try await other.change(id, in: "Work", change)
            try await domain.wait(until: "told \(number)", is: id)
            times.append(stopwatch.seconds * 1e6)
        }
        var report = Report()
        report.microseconds = times
        report.send()
        await domain.stop()
    }
}

extension HostedDomain {
    fileprivate func wait(until name: String, is id: String) async throws {
        let identifier = NSFileProviderItemIdentifier(id)
        while true {
            let count = replica.changes.count
            let node = try replica.read { try $0.node(identifier: identifier) }
            if node?.trees.local?.name == name { return }
            await replica.changes.wait(since: count)
        }
    }
}
