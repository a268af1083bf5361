import FileProvider
import Foundation

extension CloudExtension: NSFileProviderIncrementalContentFetching {
    /// Brings all of it; what is offered is noted, with its version.
    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?,
        usingExistingContentsAt existingContents: URL,
        existingVersion: NSFileProviderItemVersion, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        do {
            let text = try network.read(existingContents) ?? ""
            let version = String(decoding: existingVersion.contentVersion, as: UTF8.self)
            network.note(offered: "\(version): \(text)")
        } catch {
            completionHandler(nil, nil, error)
            return Progress()
        }
        return fetchContents(
            for: itemIdentifier, version: requestedVersion, request: request,
            completionHandler: completionHandler)
    }
}
