import BasketModels
import BasketSupport
import FileProvider
import Foundation

// What happens on the disk.
extension BasketExtension {
    package func createItem(
        basedOn itemTemplate: any NSFileProviderItemProtocol, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions,
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let template = ItemTemplate(itemTemplate)
        let path = url?.path
        return begin { parts, progress in
            let files = parts.session.world.files
            let content = try path.map { try LocalContent(path: $0, files, progress) }
            return try await parts.creator.create(
                template, fields, template.kind == .file ? content : nil, options)
        } finish: {
            Self.tell($0, completionHandler)
        }
    }

    package func modifyItem(
        _ item: any NSFileProviderItemProtocol, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let template = ItemTemplate(item)
        let path = newContents?.path
        return begin { parts, progress in
            let files = parts.session.world.files
            let content = try path.map { try LocalContent(path: $0, files, progress) }
            return try await parts.session.about(template.identifier) {
                try await parts.modifier.modify(
                    template.identifier.serverID, template, version, changedFields, content,
                    options)
            }
        } finish: {
            Self.tell($0, completionHandler)
        }
    }

    private static func tell(
        _ result: Result<ItemReply, any Error>,
        _ completionHandler: (
            (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
        ) -> Void
    ) {
        switch result {
        case .success(let reply):
            completionHandler(reply.item, reply.pending, reply.shouldFetch, nil)
        case .failure(let error): completionHandler(nil, [], false, error)
        }
    }

    package func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        begin { parts, _ in
            try await parts.deleter.delete(identifier, version, options)
        } finish: {
            completionHandler($0.failure)
        }
    }
}
