import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import Testing

@Suite("Many contents on their way", .timeLimit(.minutes(60)))
struct ManyContentsTransferTests {
    private static func files(_ count: Int, _ ada: ServerConnection) async throws -> [ItemInfo] {
        var items: [ItemInfo] = []
        for number in 0..<count {
            let request = CreateItemRequest(parent: "root", name: "file \(number)", kind: .file)
            let item = try await ada.create(request, in: "Work").item
            items.append(
                try await ada.putContent(
                    .bytes(someBytes(1000, seed: UInt64(number))), of: item.id, in: "Work",
                    base: .any
                ).item)
        }
        return items
    }

    @Test("go on after each break with those that are missing")
    func breaks() async throws {
        let network = BreakingTransport([0, 1, 3000, 2000].map { ("POST", "/contents/", $0) })
        try await TestServer.with(network: network) { ada, _ in
            let items = try await Self.files(10, ada)
            var found: [Int: [UInt8]] = [:]

            try await ada.receiveContents(
                items.map { ContentsRequest.Wanted(item: $0.id) }, in: "Work"
            ) { place, outcome in
                #expect(found[place] == nil)
                found[place] = try outcome.get().bytes
            }

            #expect(found.count == 10)
            #expect(found.allSatisfy { $1 == someBytes(1000, seed: UInt64($0)) })
            let lengths = network.requests("/contents/").map(\.body.length)
            #expect(lengths.count == 5)
            #expect(lengths[4] < lengths[3] && lengths[3] < lengths[0])
        }
    }

    @Test("of whom one is missing are the others")
    func missing() async throws {
        try await TestServer.with { ada, _ in
            let items = try await Self.files(2, ada)
            let wanted = [items[0].id, "zzz", items[1].id].map { ContentsRequest.Wanted(item: $0) }
            var codes: [String?] = []

            try await ada.receiveContents(wanted, in: "Work") { _, outcome in
                if case .failure(let error) = outcome {
                    codes.append(error.code)
                } else {
                    codes.append(nil)
                }
            }

            #expect(codes == [nil, "no_such_item", nil])
        }
    }

    /// What comes of contents of those names, when nobody can make sense of some.
    private static func outcomes(
        _ names: [String], misreading transport: MisreadTransport
    ) async throws -> [Int: String] {
        let connection = ServerConnection(
            transport: transport, credentials: .nobody, world: .live(log: .silent))
        var found: [Int: String] = [:]
        try await connection.receiveContents(
            names.map { ContentsRequest.Wanted(item: $0) }, in: "Work"
        ) { place, outcome in
            #expect(found[place] == nil)
            found[place] =
                switch outcome {
                case .success(let content): String(decoding: content.bytes, as: UTF8.self)
                case .failure(.badAnswer): "bad answer"
                case .failure: "another error"
                }
        }
        return found
    }

    @Test("of which one makes no sense are asked for once more, but for that one")
    func misread() async throws {
        let transport = MisreadTransport(["b", "c", "f"])
        let found = try await Self.outcomes(
            ["a", "b", "c", "d", "e", "f"], misreading: transport)
        #expect(
            found == [
                0: "a", 1: "bad answer", 2: "bad answer", 3: "d", 4: "e", 5: "bad answer",
            ])
        #expect(
            transport.requests.map { $0.joined() } == ["abcdef", "cdef", "def"])
    }

    @Test("of which none makes any sense are not asked for one by one")
    func allMisread() async throws {
        let names = (0..<100).map { "\($0)" }
        let transport = MisreadTransport(Set(names))
        await #expect(throws: ConnectionError.self) {
            _ = try await Self.outcomes(names, misreading: transport)
        }
        #expect(transport.requests.count == 4)
    }
}
