import BasketContent

/// `POST …/items`: a new item. Everything of its metadata may be said at once.
package struct CreateItemRequest: Codable, Sendable {
    /// A folder's identifier, or `root`.
    package var parent: String
    package var name: String
    package var kind: ItemKind
    package var ifExists: CollisionPolicy?
    /// The sender's name for this creation. One that was done already under that name, not longer than a
    /// day ago, is not done again, whatever else the request says: the answer is its item as it is now.
    package var key: String?
    /// With `merge` onto a file: the content version that was seen.
    package var base: Version?
    /// A small file's bytes.
    package var content: Base64Bytes?
    /// A file whose chunks the server has.
    package var manifest: Manifest?
    package var metadata: MetadataChange

    package init(parent: String, name: String, kind: ItemKind) {
        self.parent = parent
        self.name = name
        self.kind = kind
        metadata = MetadataChange()
    }

    private enum CodingKeys: String, CodingKey {
        case parent, name, kind, ifExists, key, base, content, manifest
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        parent = try fields.decodeIfPresent(String.self, forKey: .parent) ?? "root"
        name = try fields.decode(String.self, forKey: .name)
        kind = try fields.decode(ItemKind.self, forKey: .kind)
        ifExists = try fields.decodeIfPresent(CollisionPolicy.self, forKey: .ifExists)
        key = try fields.decodeIfPresent(String.self, forKey: .key)
        base = try fields.decodeIfPresent(Version.self, forKey: .base)
        content = try fields.decodeIfPresent(Base64Bytes.self, forKey: .content)
        manifest = try fields.decodeIfPresent(Manifest.self, forKey: .manifest)
        metadata = try MetadataChange(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(parent, forKey: .parent)
        try fields.encode(name, forKey: .name)
        try fields.encode(kind, forKey: .kind)
        try fields.encodeIfPresent(ifExists, forKey: .ifExists)
        try fields.encodeIfPresent(key, forKey: .key)
        try fields.encodeIfPresent(base, forKey: .base)
        try fields.encodeIfPresent(content, forKey: .content)
        try fields.encodeIfPresent(manifest, forKey: .manifest)
        try metadata.encode(to: encoder)
    }
}
