import BasketModels
import BasketStore

/// What single requests and batches do alike: an operation within a transaction, answered by the
/// item as it is afterwards.
enum ItemOperations {
    static func create(
        _ request: CreateItemRequest, content: StagedContent?, _ transaction: Transaction,
        _ domain: Domain
    ) throws -> ItemCreation.Result {
        let parent: StoredItem
        do {
            parent = try transaction.db.item(request.parent, in: domain)
        } catch StoreError.noSuchItem(let name) {
            // What was made in a folder may have been moved out of it before that went.
            guard let made = try transaction.earlierCreation(under: request.key, in: domain) else {
                throw StoreError.noSuchItem(name)
            }
            return made
        }
        let creation = ItemCreation(
            parent: parent.id, name: request.name, kind: request.kind, metadata: request.metadata,
            content: content, ifExists: request.ifExists ?? .fail, key: request.key,
            base: request.base)
        return try transaction.createOrMerge(creation, in: domain)
    }

    /// - Returns: the item, and the fields that were not applied.
    static func change(
        _ name: String, _ request: ChangeItemRequest, _ transaction: Transaction, _ domain: Domain
    ) throws -> (id: ItemID, refused: [String]) {
        let item = try transaction.db.item(name, in: domain)
        let parent = try request.parent.map { try transaction.db.item($0, in: domain).id }
        let change = ItemChange(
            base: request.base, name: request.name, parent: parent, metadata: request.metadata,
            ifExists: request.ifExists ?? .fail)
        return (item.id, try transaction.modify(item.id, change, in: domain))
    }

    /// `{"item": …}`, with the fields that were not applied, or the version that a content was kept
    /// as.
    static func answer(
        _ id: ItemID, refused: [String] = [], conflict: Version? = nil, created: [ItemID] = [],
        _ transaction: Transaction, _ domain: Domain
    ) throws -> [UInt8] {
        let json = ItemJSON(domain: domain, db: transaction.db)
        return try JSONWriter.document { writer in
            writer.key("item")
            try json.write(id, to: &writer)
            if !refused.isEmpty {
                writer.key("notApplied")
                writer.array { writer in
                    for field in refused { writer.string(field) }
                }
            }
            if let conflict {
                writer.key("conflict")
                writer.string(conflict.description)
            }
            if !created.isEmpty {
                writer.key("created")
                try writer.array { writer in
                    for item in created { try json.write(item, to: &writer) }
                }
            }
        }
    }
}
