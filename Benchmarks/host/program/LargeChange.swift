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
        let replica = domain.replica
        domain.start()
        try await domain.host.waitForRest()
        let id = try await replica.write { try $0.make("large", in: .root, kind: .file) }
        try await write(to: id, replica, keepsBytes: false) { try fill($0, from: path) }
        try await domain.host.waitForRest()

        let size = try LinuxFileSystem().size(path)
        let sent = domain.transport.bytesSent
        let stopwatch = try await write(to: id, replica, keepsBytes: true) { file in
            let middle = size / 2
            guard let byte = try file.read(at: middle, count: 1).first else {
                throw BenchError("the file is empty")
            }
            try file.write([~byte], at: middle)
        }
        try await domain.host.waitForRest()
        var report = stopwatch.report()
        report.bytesSent = domain.transport.bytesSent - sent
        report.send()
        await domain.stop()
    }

    /// - Returns: runs since the file was closed.
    @discardableResult
    private func write(
        to id: NodeID, _ replica: Replica, keepsBytes: Bool,
        _ body: (any ChangeableFile) throws -> Void
    ) async throws -> Stopwatch {
        let writing = try await replica.write {
            try $0.beginWriting(id, keepsBytes: keepsBytes)
        }
        if let source = writing.copiesFrom {
            try replica.contents.copy(source, to: writing.file)
        } else {
            _ = try replica.contents.create(writing.file)
        }
        let file = try replica.contents.openToChange(writing.file)
        try body(file)
        let size = try file.size()
        let stopwatch = Stopwatch()
        try await replica.write { transaction in
            try transaction.finish(writing, of: id, size: size, modified: transaction.now)
        }
        return stopwatch
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
