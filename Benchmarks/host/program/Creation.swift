import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

/// Makes files in the local tree, then sends them.
struct Creation {
    private let count: Int
    private let size: Int
    private let order: Order

    init(_ order: Order) {
        self.order = order
        count = order.count ?? 10_000
        size = order.size ?? 4096
    }

    func run() async throws {
        let domain = try await HostedDomain(order)
        domain.start()
        try await domain.host.waitForRest()
        await domain.pause()
        let local = Stopwatch()
        try await make(on: domain.host)
        let localSeconds = local.seconds
        let stopwatch = Stopwatch()
        domain.start()
        try await domain.host.waitForRest()
        var report = stopwatch.report()
        report.localSeconds = localSeconds
        report.nodes = try domain.nodeCount()
        report.bytesSent = domain.transport.bytesSent
        report.send()
        await domain.stop()
    }

    /// Each with its own bytes, which no compression makes shorter.
    private func make(on host: DomainHost) async throws {
        var random = SystemRandomNumberGenerator()
        let folder = try await host.make("new", in: .root, kind: .folder)
        for number in 0..<count {
            let words = (0..<size / 8).map { _ in random.next() as UInt64 }
            let bytes = words.withUnsafeBytes { Array($0) }
            let file = try await host.create(
                "file-\(number)", in: folder, by: Program(name: "benchmark"))
            try await file.write(bytes, at: 0)
            try await file.close()
        }
    }
}
