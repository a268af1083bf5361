import BasketSupport
import FileProviderReplica

/// So many of a kind at once; the others wait in the order in which they came.
struct Slots: Sendable {
    private let lines: [CallCategory: Turns]

    init(_ settings: HostSettings) {
        lines = Dictionary(
            uniqueKeysWithValues: CallCategory.allCases.map {
                ($0, Turns(settings.limit(of: $0)))
            })
    }

    /// How many stand in a line.
    func waiting(in category: CallCategory) -> Int { lines[category]?.waitingCount ?? 0 }

    /// - Parameters:
    ///   - category: nil for what has its place already.
    ///   - id: the node for which it is taken, and that can be hurried.
    ///   - isAwaited: whether somebody waits for it, and it goes before others.
    func take<Result>(
        _ category: CallCategory?, for id: NodeID? = nil, isAwaited: Bool = false,
        _ work: () async throws -> Result
    ) async throws -> Result {
        guard let line = category.flatMap({ lines[$0] }) else { return try await work() }
        return try await line.take(isAwaited: isAwaited, as: id?.rawValue, work)
    }

    /// Somebody waits by now for what is to be done for a node.
    func hurry(_ id: NodeID) {
        for line in CallCategory.forChanges { lines[line]?.hurry(id.rawValue) }
    }
}
