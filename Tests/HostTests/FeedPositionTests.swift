import Testing

@testable import FileProviderReplica

@Suite("How far a provider's tidings were taken in")
struct FeedPositionTests {
    private static func at(
        _ stage: Stage, anchor: UInt8 = 0, page: UInt8? = nil, folder: Int64 = 0
    ) -> FeedPosition {
        FeedPosition(
            stage: stage, anchor: [anchor], page: page.map { [$0] },
            folder: NodeID(rawValue: folder))
    }

    @Test("has come on by what was told, in each stage")
    func on() {
        #expect(Self.at(.following, anchor: 2).hasComeOn(since: Self.at(.following, anchor: 1)))
        #expect(Self.at(.filling, page: 2).hasComeOn(since: Self.at(.filling, page: 1)))
        #expect(Self.at(.filling, folder: 9).hasComeOn(since: Self.at(.filling, folder: 4)))
        #expect(Self.at(.verifying).hasComeOn(since: Self.at(.filling, page: 1)))
        #expect(!Self.at(.following).hasComeOn(since: Self.at(.following)))
    }

    @Test("has not by what is told from its start once more")
    func anew() {
        #expect(!Self.at(.filling, page: 3).hasComeOn(since: Self.at(.empty)))
        #expect(!Self.at(.filling, page: 3).hasComeOn(since: Self.at(.following, anchor: 1)))
    }
}
