import FileProvider
import FileProviderReplica
import Foundation

/// Changes items without end, so that the process dies in the middle of that.
struct Disturbance {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    func run() async throws {
        let replica = try await HostedDomain.openReplica(order)
        let files = try HostedDomain.files(1000, of: replica)
        for round in 0..<1_000_000 {
            for id in files {
                try await replica.write { transaction in
                    try transaction.setAttributes(of: id) { $0.tags = Data([UInt8(round % 2)]) }
                }
            }
            // By now there is something to lose.
            if round == 1 { Report().send() }
        }
    }
}
