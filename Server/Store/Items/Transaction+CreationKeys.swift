import BasketContent
import BasketDatabase
import BasketModels

// Creations that bear a name of their own: among many in one request, each can be sent twice.
extension Transaction {
    private static let longestKey = 255

    /// What keeps the names apart from the keys of whole requests, which hold no control characters.
    private static let prefix = "\u{1F}create "

    /// The key as it is stored, with the answers to whole requests: it is forgotten when they are.
    func creationKey(_ key: String, in domain: Domain) throws(StoreError) -> IdempotencyKey {
        guard (1...Self.longestKey).contains(key.utf8.count) else {
            throw .badField(field: "key", reason: "1 to \(Self.longestKey) bytes")
        }
        let text = Self.prefix + "\(domain.id) " + key
        return IdempotencyKey(key: text, fingerprint: ContentHash(of: Array(text.utf8)))
    }

    /// What a creation comes to that was done before under this key; nil where it was not.
    package func earlierCreation(
        under key: String?, in domain: Domain
    ) throws -> ItemCreation.Result? {
        try domain.require(.writer)
        let made = try key.flatMap { try created(under: creationKey($0, in: domain), in: domain) }
        return made.map { ItemCreation.Result(id: $0, isNew: false, refused: []) }
    }

    /// The item that was made under the key. One that is gone by now can be made anew.
    func created(under key: IdempotencyKey, in domain: Domain) throws -> ItemID? {
        guard let identity, let answer = try db.givenAnswer(to: key, for: identity),
            let id = ItemID(String(decoding: answer.body, as: UTF8.self)),
            let item = try db.storedItem(id), !item.isDeleted, item.domain == domain.id
        else { return nil }
        return id
    }

    func remember(_ item: ItemID, under key: IdempotencyKey) throws {
        guard let identity else { return }
        try keep(
            StoredAnswer(status: 201, body: Array(item.description.utf8)), to: key, for: identity)
    }
}
