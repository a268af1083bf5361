import BasketConnection
import FileProvider
import Foundation

extension BasketExtension: NSFileProviderThumbnailing {
    /// How many pictures travel at a time.
    private static let parallelism = 4

    package func fetchThumbnails(
        for itemIdentifiers: [NSFileProviderItemIdentifier], requestedSize size: CGSize,
        perThumbnailCompletionHandler:
            @escaping @Sendable (NSFileProviderItemIdentifier, Data?, (any Error)?) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        begin { parts, progress in
            progress.expect(Int64(itemIdentifiers.count))
            var done: Int64 = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, item) in itemIdentifiers.enumerated() {
                    if index >= Self.parallelism { try await group.next() }
                    group.addTask {
                        let result = await Self.thumbnail(of: item, parts.session)
                        try Task.checkCancellation()
                        switch result {
                        case .success(let data): perThumbnailCompletionHandler(item, data, nil)
                        case .failure(let error):
                            perThumbnailCompletionHandler(item, nil, SystemError.of(error))
                        }
                    }
                    done += 1
                    progress.reach(done - Int64(Self.parallelism))
                }
                try await group.waitForAll()
            }
        } finish: {
            completionHandler($0.failure)
        }
    }

    /// Nil for an item without one.
    private static func thumbnail(
        of item: NSFileProviderItemIdentifier, _ session: ProviderSession
    ) async -> Result<Data?, any Error> {
        do {
            let picture = try await session.call {
                try await $0.thumbnail(of: item.serverID, in: $1)
            }
            return .success(picture.map { Data($0.bytes) })
        } catch let error as ConnectionError
            where ["no_thumbnail", "not_a_file"].contains(error.code)
        {
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }
}
