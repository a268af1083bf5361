import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

/// What a single change costs until it is known what follows from it.
struct Planning {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    /// The host does not run: what is planned would be done.
    func run() async throws {
        let domain = try await HostedDomain(order)
        var times: [Double] = []
        for id in try domain.files(order.count ?? 1000) {
            let tags = try domain.replica.read { try $0.node(id)?.trees.local?.attributes.tags }
            try await domain.set(tags: Data([1]), of: id)
            let stopwatch = Stopwatch()
            let step = try domain.firstStep()
            times.append(stopwatch.seconds * 1e6)
            guard case (id, .modify(.tagData))? = step else {
                throw BenchError("the plan is \(String(describing: step))")
            }
            try await domain.set(tags: tags, of: id)
        }
        guard try domain.replica.read({ try $0.pendingCount() }) == 0 else {
            throw BenchError("something is left to do")
        }
        var report = Report()
        report.microseconds = times
        report.nodes = try domain.nodeCount()
        report.send()
        await domain.stop()
    }
}

extension HostedDomain {
    fileprivate func set(tags: Data?, of id: NodeID) async throws {
        try await replica.write { try $0.setAttributes(of: id) { $0.tags = tags } }
    }

    /// As the host asks: who is to be looked at, and what is next for it.
    fileprivate func firstStep() throws -> (NodeID, Step)? {
        let now = Timestamp(nanoseconds: Int64.max)
        guard let id = try replica.read({ try $0.nextTurns(at: now, limit: 256) }).first,
            let step = try host.plan(for: id)
        else { return nil }
        return (id, step)
    }
}
