import FileProvider
import Foundation

// Contents, from the server to the disk.
extension BasketExtension: NSFileProviderIncrementalContentFetching,
    NSFileProviderPartialContentFetching
{
    package func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        let id = itemIdentifier.serverID
        return begin { parts, progress in
            try await parts.session.about(itemIdentifier) {
                try await parts.fetcher.whole(
                    id, version: requestedVersion?.content(of: id), for: FetchPurpose(request),
                    progress)
            }
        } finish: {
            Self.tell($0, completionHandler)
        } unheard: { parts, fetched in
            parts.fetcher.files.remove(fetched.url)
        }
    }

    package func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?,
        usingExistingContentsAt existingContents: URL,
        existingVersion: NSFileProviderItemVersion, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        let id = itemIdentifier.serverID
        return begin { parts, progress in
            try await parts.session.about(itemIdentifier) {
                try await parts.fetcher.newer(
                    id, version: requestedVersion?.content(of: id), than: existingContents.path,
                    for: FetchPurpose(request), progress)
            }
        } finish: {
            Self.tell($0, completionHandler)
        } unheard: { parts, fetched in
            parts.fetcher.files.remove(fetched.url)
        }
    }

    private static func tell(
        _ result: Result<ContentFetcher.Fetched, any Error>,
        _ completionHandler: (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) {
        switch result {
        case .success(let fetched): completionHandler(fetched.url, fetched.item, nil)
        case .failure(let error): completionHandler(nil, nil, error)
        }
    }

    package func fetchPartialContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion, request: NSFileProviderRequest,
        minimalRange requestedRange: NSRange, aligningTo alignment: Int,
        options: NSFileProviderFetchContentsOptions,
        completionHandler:
            @escaping @Sendable (
                URL?, (any NSFileProviderItemProtocol)?, NSRange,
                NSFileProviderMaterializationFlags, (any Error)?
            ) -> Void
    ) -> Progress {
        let id = itemIdentifier.serverID
        let wanted = AlignedRange(covering: requestedRange, alignment: alignment)
        return begin { parts, progress in
            guard let wanted else {
                throw ProviderFailure.unsupported("There is nothing in the range asked for.")
            }
            return try await parts.session.about(itemIdentifier) {
                try await parts.partFetcher.part(
                    id, version: requestedVersion.content(of: id), wanted,
                    isStrict: options.contains(.strictVersioning),
                    isAwaited: !request.isSystemRequest, progress)
            }
        } finish: { result in
            switch result {
            case .success(let part): completionHandler(part.url, part.item, part.range, [], nil)
            case .failure(let error): completionHandler(nil, nil, NSRange(), [], error)
            }
        } unheard: { parts, part in
            parts.partFetcher.files.remove(part.url)
        }
    }
}
