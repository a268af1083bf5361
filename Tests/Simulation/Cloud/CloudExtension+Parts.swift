import FileProvider
import Foundation
import Synchronization

extension CloudExtension: NSFileProviderPartialContentFetching {
    func fetchPartialContents(
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
        network.noteFetch(isAwaited: !request.isSystemRequest)
        return exchange(about: "fetch of \(itemIdentifier.rawValue)", as: "download") {
            let item = try self.cloud.state.withLock { state in
                let former = state.former.map { CloudItem($0) }.first {
                    $0.record.id == itemIdentifier.rawValue
                        && $0.itemVersion.contentVersion == requestedVersion.contentVersion
                }
                if let former { return former }
                guard let item = state.items[itemIdentifier.rawValue] else {
                    throw NSFileProviderError(.noSuchItem)
                }
                return CloudItem(item)
            }
            if item.itemVersion.contentVersion != requestedVersion.contentVersion,
                options.contains(.strictVersioning)
            {
                throw NSFileProviderError(.versionNoLongerAvailable)
            }
            let bytes = Array(item.record.content.utf8)
            let start = min(requestedRange.location / alignment * alignment, bytes.count)
            let wanted = requestedRange.location + requestedRange.length
            let end = min((wanted + alignment - 1) / alignment * alignment, bytes.count)
            let part = start..<max(start, end)
            let path = try self.network.temporaryFile(Array(bytes[part]), at: Int64(start))
            self.network.note(fetched: part.count)
            return (
                URL(fileURLWithPath: path), item,
                NSRange(location: part.lowerBound, length: part.count)
            )
        } _: { (result: Result<(URL, CloudItem, NSRange), any Error>) in
            switch result {
            case .success(let (url, item, range)):
                completionHandler(url, item.shown, range, [], nil)
            case .failure(let error): completionHandler(nil, nil, NSRange(), [], error)
            }
        }
    }
}
