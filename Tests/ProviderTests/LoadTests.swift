import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

/// What it costs, for those who ask: `BASKET_LOAD=10000 swift test --filter LoadTests`.
@Suite(
    "A load", .serialized, .enabled(if: ProcessInfo.processInfo.environment["BASKET_LOAD"] != nil))
struct LoadTests {
    private static let count =
        ProcessInfo.processInfo.environment["BASKET_LOAD"].flatMap { Int($0) } ?? 0

    private static func report(_ what: String, _ count: Int, _ body: () async throws -> Void)
        async throws
    {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        let time = clock.now - start
        print("\(what): \(count) in \(time)")
    }

    private static func each(
        _ count: Int, atOnce: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= atOnce { try await group.next() }
                group.addTask { try await body(number) }
            }
            try await group.waitForAll()
        }
    }

    @Test("of many small files")
    func small() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let bytes = someBytes(4096, seed: 1)
            let ids = Mutex<[NSFileProviderItemIdentifier]>([])
            for atOnce in [1, 16, 128] {
                let count = atOnce == 1 ? Self.count / 10 : Self.count
                device.network.fail(Int.max, .before)
                try await Self.report("create, \(atOnce) at once", count) {
                    try await Self.each(count, atOnce: atOnce) { number in
                        let name = "\(atOnce) \(number)"
                        let reply = try await device.create(
                            TestItem(name, id: name), bytes + Array(name.utf8))
                        if let id = reply.item?.itemIdentifier { ids.withLock { $0.append(id) } }
                    }
                }
                print("requests: \(device.network.count)")
            }
            let known = try await device.all(.workingSet).items.compactMap { $0 as? BasketItem }
                .filter { $0.info.kind == .file }.prefix(Self.count)
            for atOnce in [16, 128] {
                device.network.fail(Int.max, .before)
                try await Self.report("modify, \(atOnce) at once", known.count) {
                    try await Self.each(known.count, atOnce: atOnce) { number in
                        let item = TestItem(of: known[number])
                        _ = try await device.modify(item, .contents, bytes + [UInt8(atOnce)])
                    }
                }
                print("requests: \(device.network.count)")
            }
            let some = ids.withLock { Array($0.prefix(Self.count)) }
            for atOnce in [1, 16] {
                try await Self.report("fetch, \(atOnce) at once", some.count) {
                    try await Self.each(some.count, atOnce: atOnce) {
                        _ = try await device.fetch(some[$0])
                    }
                }
            }
            try await Self.report("working set", ids.withLock { $0.count }) {
                _ = try await device.all(.workingSet)
            }
            let items = try await device.all(.workingSet).items
                .filter { $0.itemIdentifier != .rootContainer }.prefix(Self.count)
                .compactMap { $0 as? BasketItem }
            try await Self.report("delete, 128 at once", items.count) {
                try await Self.each(items.count, atOnce: 128) {
                    try await device.delete(items[$0])
                }
            }
        }
    }
}
