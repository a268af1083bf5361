import BasketSupport
import FileProviderHost
import FileProviderReplica
import Foundation

/// Hosts Basket's extension against a server for as long as one measurement takes. The order comes as JSON
/// in the only argument; what was measured goes to the output as JSON, one object a line.
@main
enum BenchHost {
    static func main() async {
        do {
            guard CommandLine.arguments.count == 2 else { throw BenchError("one order is needed") }
            let order = try JSONDecoder().decode(
                Order.self, from: Data(CommandLine.arguments[1].utf8))
            // Away from the main thread, where a program's work is done as well.
            try await Task.detached { try await carryOut(order) }.value
        } catch {
            FileHandle.standardError.write(Data("basket-bench-host: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func carryOut(_ order: Order) async throws {
        switch order.work {
        case .catchUp: try await catchUp(order)
        case .plan: try await Planning(order).run()
        case .disturb: try await Disturbance(order).run()
        case .reopen: try await reopen(order)
        case .create: try await Creation(order).run()
        case .change: try await LargeChange(order).run()
        case .hear: try await Hearing(order).run()
        case .fetch, .read: try await Fetching(order).run()
        }
    }

    /// Takes in all that the server has, or what is new there.
    private static func catchUp(_ order: Order) async throws {
        let domain = try await HostedDomain(order)
        let stopwatch = Stopwatch()
        domain.start()
        try await domain.host.waitForRest()
        var report = stopwatch.report()
        report.nodes = try domain.nodeCount()
        report.send()
        await domain.stop()
    }

    /// As a mount does at its start: everything that `ls` of the root asks for, and of a folder in it.
    private static func reopen(_ order: Order) async throws {
        let replica = try await HostedDomain.openReplica(order)
        let children = try replica.read { reader in
            let folder = try reader.children(of: .root, limit: 1000).last?.id ?? .root
            return try reader.children(of: folder, limit: 1000).count
        }
        var report = Report()
        report.nodes = children
        report.send()
        replica.close()
    }
}
