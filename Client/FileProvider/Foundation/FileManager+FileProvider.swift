import Foundation

extension FileManager {
    /// The services that the extension behind a file offers for it, by name.
    public func getFileProviderServicesForItem(
        at url: URL,
        completionHandler:
            @escaping @Sendable (
                [NSFileProviderServiceName: NSFileProviderService]?, (any Error)?
            ) -> Void
    ) {
        guard let system = FileProviderSystems.common else {
            return completionHandler(nil, NSFileProviderError(.providerNotFound))
        }
        system.services(forItemAt: url) { result in
            switch result {
            case .success(let services):
                let named = services.map { ($0.name, $0) }
                completionHandler(Dictionary(named) { first, _ in first }, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// The services that the extension behind a file offers for it, by name.
    public func fileProviderServicesForItem(
        at url: URL
    ) async throws -> [NSFileProviderServiceName: NSFileProviderService] {
        try await Answer.result { done in
            getFileProviderServicesForItem(at: url) { done(Result($0, $1)) }
        }
    }
}
