import BasketSupport
import CAvahi

/// Looks for servers on the local network.
package struct ServerBrowser: Sendable {
    /// Who is there answers within a second or two.
    package static let usualPatience = Duration.seconds(5)

    private let world: World

    package init(world: World) {
        self.world = world
    }

    /// Whether this machine finds others by names such as `nas.local`.
    package static var knowsNames: Bool { avahi_nss_support() != 0 }

    /// Every server that has answered, each once, by name.
    /// - Parameters:
    ///   - patience: how long it is listened at most.
    ///   - toTheEnd: whether so long also when all seem to have answered before.
    package func find(
        within patience: Duration = usualPatience, toTheEnd: Bool = false
    ) async throws -> [FoundServer] {
        // Only that it has changed counts, so that there is nothing to be filled.
        let (news, continuation) = AsyncStream.makeStream(
            of: AvahiSearch.News.self, bufferingPolicy: .bufferingNewest(1))
        let search = AvahiSearch { continuation.yield($0) }
        do {
            try await world.aside { try search.open() }
            let failure = try await Self.listen(to: news, within: patience, toTheEnd, world)
            let found = search.close()
            if let failure { throw failure }
            return found
        } catch {
            _ = search.close()
            throw error
        }
    }

    /// Returns when it is time to stop: why, where that is a failure.
    private static func listen(
        to news: AsyncStream<AvahiSearch.News>, within patience: Duration, _ toTheEnd: Bool,
        _ world: World
    ) async throws -> DiscoveryError? {
        try await withThrowingTaskGroup(of: DiscoveryError?.self) { group in
            group.addTask {
                try await world.sleep(patience)
                return nil
            }
            group.addTask {
                for await event in news {
                    if case .failed(let error) = event { return error }
                    if !toTheEnd { return nil }
                }
                try Task.checkCancellation()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
