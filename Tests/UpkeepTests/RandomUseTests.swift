import BasketContent
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

/// Random people, and what they must find afterwards.
private struct RandomUse {
    let server: TestServer
    var generator: SeededGenerator
    var files: [ItemID: [UInt8]] = [:]
    var trashed: [ItemID: [UInt8]] = [:]

    mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

    mutating func anyFile() -> ItemID? {
        files.isEmpty ? nil : files.keys.sorted { $0.rawValue < $1.rawValue }[below(files.count)]
    }

    /// Contents that share chunks with each other.
    mutating func content() -> [UInt8] {
        if below(5) == 0 { return bytes(below(500), seed: UInt64(below(6))) }
        let pieces = (0..<(2 + below(12))).map { _ in UInt64(below(40)) }
        return pieces.flatMap { bytes(1024, seed: $0) } + bytes(below(100), seed: 1)
    }

    mutating func step() async throws {
        switch below(12) {
        case 0...3:
            let content = content()
            let id = try await server.put("file", content, isDelta: below(2) == 0)
            files[id] = content
        case 4...7:
            guard let id = anyFile() else { return }
            let content = content()
            try await server.replace(id, content, isDelta: below(2) == 0)
            files[id] = content
        case 8:
            guard let id = anyFile() else { return }
            try await server.delete(id)
            files[id] = nil
        case 9:
            guard let id = anyFile() else { return }
            let content = try await server.stage(content())
            _ = try await server.write { transaction, domain in
                try transaction.replaceContent(
                    of: id, with: content, condition: .baseOrKeep(Version(rawValue: 1)), in: domain)
            }
        case 10:
            server.clock.advance(.seconds(below(40) * 3600))
        default:
            guard let id = anyFile() else { return }
            let content = try await server.contents(of: id)
            #expect(content == files[id])
        }
    }
}

@Suite("Collections between random changes")
struct RandomUseTests {
    @Test("take away nothing that is needed", arguments: UInt64(1)...6)
    func collect(seed: UInt64) async throws {
        let server = try await TestServer(seed: seed)
        var use = RandomUse(server: server, generator: SeededGenerator(seed: seed))
        var moved = 0
        var removed = 0
        for step in 0..<150 {
            try await use.step()
            if step % 6 == 5 {
                // Nothing is half sent between steps, so even the impatient one is safe.
                let summary = try await server.collect(use.below(3) == 0 ? .atOnce : .test)
                moved += summary.chunksMoved
                removed += summary.filesRemoved
                #expect(summary.damagedChunks == [])
            }
            if step % 30 == 29 { #expect(try await server.check() == []) }
        }
        _ = try await server.collect(.atOnce)

        #expect(try await server.check() == [])
        #expect(moved > 0 && removed > 0)
        for (id, content) in use.files { #expect(try await server.contents(of: id) == content) }
    }
}
