import BasketConnection
import BasketModels

/// Gathers fetches that nobody waits for: ten thousand small files are some dozens of requests.
struct FetchBatcher: Sendable {
    /// Nil for what is to be fetched by itself.
    typealias Result = Swift.Result<SmallContent?, any Error>
    typealias Send =
        @Sendable (
            [ContentsRequest.Wanted], _ each: (Int, ContentsReceiver.Outcome) -> Void
        ) async throws -> Void

    /// What comes waits for a part of a round trip at most.
    static let mostSenders = 4

    private let batcher: Batcher<ContentsRequest.Wanted, SmallContent?>

    init(calls: CallRegistry, send: @escaping Send) {
        batcher = Batcher(
            .init(
                batches: Self.mostSenders, elements: ContentsRequest.mostContents,
                areGivenUp: true),
            calls: calls
        ) { wanted, settle in
            do {
                try await send(wanted) { settle($0, Self.result($1)) }
            } catch {
                for place in wanted.indices { settle(place, Self.result(.failure(error))) }
            }
        }
    }

    /// - Returns: nil for a content that does not travel with others.
    func fetch(_ wanted: ContentsRequest.Wanted) async throws -> SmallContent? {
        try await batcher.perform(wanted)
    }

    /// How many stand in line.
    var waiting: Int { batcher.waiting }

    private static func result(_ outcome: Swift.Result<SmallContent, some Error>) -> Result {
        switch outcome {
        case .success(let content): .success(content)
        case .failure(let error):
            if let code = (error as? ConnectionError)?.code, notTogether.contains(code) {
                .success(nil)
            } else {
                .failure(error)
            }
        }
    }

    /// Too long; or more than this server takes at once, or nothing that it knows of at all.
    private static let notTogether: Set = [
        "too_long_for_batch", "bad_field", "body_too_large", "no_such_route", "method_not_allowed",
    ]
}
