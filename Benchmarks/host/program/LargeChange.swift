import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation

/// Sends a large file, then changes one byte in its middle.
struct LargeChange {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    func run() async throws {
        guard let path = order.file else { throw BenchError("a file is needed") }
        let domain = try await HostedDomain(order)
        domain.start()
        try await domain.host.waitForRest()
        let program = Program(name: "benchmark")
        let file = try await domain.host.create("large", in: .root, by: program)
        try await file.change { try fill($0, from: path) }
        try await file.close()
        try await domain.host.waitForRest()

        let size = try LinuxFileSystem().size(path)
        let sent = domain.transport.bytesSent
        let again = try await domain.host.open(file.node, for: .writing, by: program)
        let middle = size / 2
        guard let byte = try await again.read(at: middle, count: 1).first else {
            throw BenchError("the file is empty")
        }
        try await again.write([~byte], at: middle)
        let stopwatch = Stopwatch()
        try await again.close()
        try await domain.host.waitForRest()
        var report = stopwatch.report()
        report.bytesSent = domain.transport.bytesSent - sent
        report.send()
        await domain.stop()
    }

    private func fill(_ file: any ChangeableFile, from path: String) throws {
        let source = try LinuxFileSystem().open(path)
        var position: Int64 = 0
        while case let bytes = try source.read(at: position, count: 1 << 20), !bytes.isEmpty {
            try file.write(bytes, at: position)
            position += Int64(bytes.count)
        }
    }
}
