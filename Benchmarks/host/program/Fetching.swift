import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

/// Brings the files of one folder here, whose names are known: all that are wanted, or one after another as a
/// program reads them.
struct Fetching {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    func run() async throws {
        let domain = try await HostedDomain(order)
        domain.start()
        try await domain.host.waitForRest()
        let files = try domain.filesInFirstFolder()
        let stopwatch = Stopwatch()
        if order.work == .read {
            for id in files.prefix(order.count ?? files.count) {
                try await domain.read(id)
            }
        } else {
            try await domain.bringHere(files)
        }
        var report = stopwatch.report()
        report.nodes = files.count
        report.send()
        await domain.stop()
    }
}

extension HostedDomain {
    /// In the order of their names.
    fileprivate func filesInFirstFolder() throws -> [NodeID] {
        try replica.read { reader in
            let folder = try reader.children(of: .root, limit: 1).first?.id ?? .root
            return try reader.children(of: folder, limit: 1_000_000).map(\.id)
        }
    }

    fileprivate func bringHere(_ files: [NodeID]) async throws {
        try await replica.write { transaction in
            for id in files {
                _ = try transaction.update(id) { $0.isWanted = true }
            }
        }
        while true {
            let count = replica.changes.count
            if try replica.read({ try $0.wanted(limit: 1) }).isEmpty { return }
            await replica.changes.wait(since: count)
        }
    }

    fileprivate func read(_ id: NodeID) async throws {
        let file = try await host.open(id, for: .reading, by: Program(name: "benchmark"))
        guard try await !file.read(at: 0, count: 1 << 16).isEmpty else {
            throw BenchError("a file is empty")
        }
        try await file.close()
    }
}
