/// `PATCH …/items/I`: another name, another place, other metadata.
package struct ChangeItemRequest: Codable, Sendable {
    /// The metadata version that was seen: what others changed since then stays.
    package var base: Version?
    package var name: String?
    /// A folder's identifier, `root`, or `trash`.
    package var parent: String?
    package var ifExists: CollisionPolicy?
    package var metadata: MetadataChange

    package init() {
        metadata = MetadataChange()
    }

    private enum CodingKeys: String, CodingKey {
        case base, name, parent, ifExists
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        base = try fields.decodeIfPresent(Version.self, forKey: .base)
        for key in [CodingKeys.name, .parent] where fields.contains(key) {
            guard try !fields.decodeNil(forKey: key) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: fields, debugDescription: "a place cannot be taken away")
            }
        }
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        parent = try fields.decodeIfPresent(String.self, forKey: .parent)
        ifExists = try fields.decodeIfPresent(CollisionPolicy.self, forKey: .ifExists)
        metadata = try MetadataChange(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(base, forKey: .base)
        try fields.encodeIfPresent(name, forKey: .name)
        try fields.encodeIfPresent(parent, forKey: .parent)
        try fields.encodeIfPresent(ifExists, forKey: .ifExists)
        try metadata.encode(to: encoder)
    }
}
