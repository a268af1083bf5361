import FileProvider

extension NotebookExtension: NSFileProviderIncrementalContentFetching,
    NSFileProviderPartialContentFetching,
    NSFileProviderThumbnailing
{
    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?,
        usingExistingContentsAt existingContents: URL, existingVersion: NSFileProviderItemVersion,
        request: NSFileProviderRequest,
        completionHandler: @escaping (URL?, NSFileProviderItem?, Error?) -> Void
    ) -> Progress {
        return fetchContents(
            for: itemIdentifier, version: requestedVersion, request: request,
            completionHandler: completionHandler)
    }

    func fetchPartialContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion,
        request: NSFileProviderRequest, minimalRange requestedRange: NSRange,
        aligningTo alignment: Int,
        options: NSFileProviderFetchContentsOptions,
        completionHandler:
            @escaping (
                URL?, NSFileProviderItem?, NSRange, NSFileProviderMaterializationFlags, Error?
            ) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: Int64(requestedRange.length))
        Notebook.shared.call { try $0.page(itemIdentifier.rawValue) }.answer { result in
            do {
                let page = try result.get()
                if options.contains(.strictVersioning),
                    NotebookItem(page).itemVersion != requestedVersion
                {
                    throw NSFileProviderError(.versionNoLongerAvailable)
                }
                let start = requestedRange.lowerBound / alignment * alignment
                let end = min(
                    (requestedRange.upperBound + alignment - 1) / alignment * alignment,
                    page.text.count)
                let url = try self.temporaryURL()
                try Data().write(to: url)
                let file = try FileHandle(forWritingTo: url)
                try file.seek(toOffset: UInt64(start))
                try file.write(contentsOf: page.text[start..<end])
                try file.close()
                completionHandler(url, NotebookItem(page), NSRange(start..<end), [], nil)
            } catch {
                completionHandler(nil, nil, requestedRange, [], error)
            }
        }
        return progress
    }

    func fetchThumbnails(
        for itemIdentifiers: [NSFileProviderItemIdentifier], requestedSize size: CGSize,
        perThumbnailCompletionHandler:
            @escaping (NSFileProviderItemIdentifier, Data?, Error?) -> Void,
        completionHandler: @escaping (Error?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: Int64(itemIdentifiers.count))
        for identifier in itemIdentifiers {
            perThumbnailCompletionHandler(identifier, nil, nil)
            progress.completedUnitCount += 1
        }
        completionHandler(nil)
        return progress
    }
}
