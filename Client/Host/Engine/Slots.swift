import BasketSupport

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

    /// - Parameter category: nil for what has its place already.
    func take<Result>(
        _ category: CallCategory?, _ work: () async throws -> Result
    ) async throws -> Result {
        guard let line = category.flatMap({ lines[$0] }) else { return try await work() }
        return try await line.take(work)
    }
}
