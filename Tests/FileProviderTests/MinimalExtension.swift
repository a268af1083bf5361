import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An extension as one writes it on macOS, with all that is required and nothing else. That it compiles is
/// the test: handlers are plain `@escaping`, items conform to `NSFileProviderItem`, and what is read through
/// the protocol has one more level of `Optional`.
class MinimalExtension: NSObject, NSFileProviderReplicatedExtension {
    let domain: NSFileProviderDomain

    required init(domain: NSFileProviderDomain) {
        self.domain = domain
        super.init()
    }

    func invalidate() {}

    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler: @escaping (NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress {
        completionHandler(MinimalItem(identifier), nil)
        return Progress()
    }

    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler: @escaping (URL?, NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress {
        completionHandler(nil, nil, NSFileProviderError(.noSuchItem))
        return Progress()
    }

    func createItem(
        basedOn itemTemplate: NSFileProviderItem, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions = [],
        request: NSFileProviderRequest,
        completionHandler:
            @escaping (
                NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        if itemTemplate.contentType?.conforms(to: .symbolicLink) ?? false {
            guard let target = itemTemplate.symlinkTargetPath ?? nil, !target.isEmpty else {
                completionHandler(nil, [], false, CocoaError(.featureUnsupported))
                return Progress()
            }
        }
        switch itemTemplate.contentType {
        case .folder?, .package?: completionHandler(itemTemplate, [], false, nil)
        default: completionHandler(nil, [], false, nil)
        }
        return Progress()
    }

    func modifyItem(
        _ item: NSFileProviderItem, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions = [], request: NSFileProviderRequest,
        completionHandler:
            @escaping (
                NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        if changedFields.contains(.creationDate), let date = item.creationDate, let date {
            completionHandler(MinimalItem(.init("\(date.timeIntervalSince1970)")), [], false, nil)
        } else {
            completionHandler(item, [], false, nil)
        }
        return Progress()
    }

    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions = [], request: NSFileProviderRequest,
        completionHandler: @escaping ((any Error)?) -> Void
    ) -> Progress {
        completionHandler(nil)
        return Progress()
    }

    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator {
        guard containerItemIdentifier != .trashContainer else {
            throw CocoaError(.featureUnsupported)
        }
        return MinimalEnumerator()
    }
}
