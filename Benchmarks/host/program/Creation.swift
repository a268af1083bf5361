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
    private static let batch = 500

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
        try await make(in: domain.replica)
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
    private func make(in replica: Replica) async throws {
        var random = SystemRandomNumberGenerator()
        let folder = try await replica.write { try $0.make("new", in: .root, kind: .folder) }
        for first in stride(from: 0, to: count, by: Self.batch) {
            let numbers = first..<min(first + Self.batch, count)
            let begun = try await replica.write { transaction in
                try numbers.map { number in
                    let id = try transaction.make("file-\(number)", in: folder, kind: .file)
                    return (id, try transaction.beginWriting(id, keepsBytes: false))
                }
            }
            for (_, writing) in begun {
                let words = (0..<size / 8).map { _ in random.next() as UInt64 }
                let bytes = words.withUnsafeBytes { Array($0) }
                try replica.contents.create(writing.file).write(bytes, at: 0)
            }
            let length = Int64(size / 8 * 8)
            try await replica.write { transaction in
                for (id, writing) in begun {
                    try transaction.finish(
                        writing, of: id, size: length, modified: transaction.now)
                }
            }
        }
    }
}
