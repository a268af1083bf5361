import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("Taking in what a provider tells")
struct IngestionTests {
    @Test("comes to the same together as one by one", arguments: UInt64(0)..<20)
    func together(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let parts = (0..<4).map { _ in (0..<60).map { _ in Self.item(&random) } }

        let alone = try await Self.nodes { replica in
            var strays: [[String]] = []
            for part in parts {
                strays.append(
                    try await replica.write { transaction in
                        try part.filter { try transaction.ingest($0, isListed: true) == nil }
                            .map(\.identifier.rawValue)
                    })
            }
            return strays
        }
        let together = try await Self.nodes { replica in
            var strays: [[String]] = []
            for part in parts {
                strays.append(
                    try await replica.write {
                        try $0.ingest(part, isListed: true).map(\.identifier.rawValue)
                    })
            }
            return strays
        }

        #expect(alone.strays == together.strays)
        #expect(alone.nodes == together.nodes)
        #expect(together.nodes.count > 30)
    }

    @Test("takes rights and flags for what they are, whatever bits they have")
    func allBits() async throws {
        var attributes = EntryAttributes()
        attributes.flags = NSFileProviderFileSystemFlags(rawValue: .max)
        let item = RemoteItem(
            identifier: .init("a"), parent: .rootContainer, name: "a", kind: .file,
            content: .version(Data([1])), attributes: attributes, size: 1,
            capabilities: NSFileProviderItemCapabilities(rawValue: .max))
        let (nodes, _) = try await Self.nodes { replica in
            try await replica.write { transaction in
                _ = try transaction.ingest(item, isListed: true)
                return []
            }
        }
        let node = try #require(nodes.first { $0.identifier == .init("a") })
        #expect(node.capabilities == item.capabilities)
        #expect(node.trees.local?.attributes.flags == attributes.flags)
        let bytes = EntryCoding.encode(try #require(node.trees.local))
        #expect(EntryCoding.decode(bytes) == node.trees.local)
    }

    @Test(
        "sees what the device itself has said before, also where somebody else has written to the file"
    )
    func ownWord() async throws {
        var item = RemoteItem(
            identifier: .init("a"), parent: .rootContainer, name: "a", kind: .file,
            content: .version(Data([1])), metadataVersion: Data([1]), size: 1)
        let first = item
        item.attributes.extended = ["user.a": Data([1])]
        item.content = .version(Data([2]))
        item.metadataVersion = Data([2])
        let news = item
        let (nodes, _) = try await Self.nodes { replica in
            try await replica.write { transaction in
                let id = try #require(try transaction.ingest(first, isListed: true))
                try transaction.update(id) { node in
                    node.trees.local?.content = .edit(1)
                    node.trees.local?.attributes.modified = Timestamp(nanoseconds: 1)
                    node.trees.local?.attributes.extended = news.attributes.extended
                    if let local = node.trees.local { node.ask(.extendedAttributes, of: local) }
                }
                _ = try transaction.ingest(news, isListed: true)
                return []
            }
        }
        let node = try #require(nodes.first { $0.identifier == .init("a") })
        // What is said of it from here on is said over that; what is written to it is not.
        #expect(node.syncedMetadata == news.metadataVersion)
        #expect(node.trees.synced?.attributes.extended == news.attributes.extended)
        #expect(node.trees.synced?.content == first.content)
    }

    /// One of few identifiers, in one of few folders, under one of few names.
    private static func item(_ random: inout SeededGenerator) -> RemoteItem {
        let number = Int.random(in: 0..<80, using: &random)
        let isFolder = number < 12
        let parent = Int.random(in: -4..<14, using: &random)
        let names = (0..<50).map { "n\($0)" } + ["", ".", "a/b"]
        return RemoteItem(
            identifier: number == 0 ? .rootContainer : .init("i\(number)"),
            parent: parent <= 0 ? .rootContainer : .init("i\(min(parent, number - 1))"),
            name: names.randomElement(using: &random) ?? "n", kind: isFolder ? .folder : .file,
            content: isFolder ? .none : .version(Data([UInt8(number)])),
            metadataVersion: Data([UInt8.random(in: 0..<3, using: &random)]),
            size: Int64(number),
            policy: Int.random(in: 0..<60, using: &random) == 0
                ? .downloadEagerlyAndKeepDownloaded : .inherited)
    }

    private static func nodes(
        _ body: (Replica) async throws -> [[String]]
    ) async throws -> (nodes: [StoredNode], strays: [[String]]) {
        var strays: [[String]] = []
        var nodes: [StoredNode] = []
        try await TemporaryReplica.with { replica in
            strays = try await body(replica)
            nodes = try replica.read { try $0.all() }
        }
        return (nodes, strays)
    }
}
