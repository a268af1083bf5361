import FileProvider
import Foundation

extension ExtensionCalls {
    func perform(
        _ action: NSFileProviderExtensionActionIdentifier,
        on items: [NSFileProviderItemIdentifier]
    ) async throws {
        guard let acting = provider as? any NSFileProviderCustomAction else {
            throw CocoaError(.featureUnsupported)
        }
        try await call { (once: Once<Void>) in
            acting.performAction(identifier: action, onItemsWithIdentifiers: items) { error in
                once.answer(error.map { .failure($0) } ?? .success(()))
            }
        }
    }

    /// Pictures of items, as they come.
    func fetchThumbnails(
        of items: [NSFileProviderItemIdentifier], size: CGSize,
        _ one:
            @escaping @Sendable (NSFileProviderItemIdentifier, Result<Data?, any Error>) -> Void
    ) async throws {
        guard let picturing = provider as? any NSFileProviderThumbnailing else {
            for item in items { one(item, .success(nil)) }
            return
        }
        try await call { (once: Once<Void>) in
            picturing.fetchThumbnails(
                for: items, requestedSize: size,
                perThumbnailCompletionHandler: { item, data, error in
                    one(item, error.map { .failure($0) } ?? .success(data))
                    once.moved()
                },
                completionHandler: { error in
                    once.answer(error.map { .failure($0) } ?? .success(()))
                })
        }
    }
}
