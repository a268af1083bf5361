import BasketSupport

/// What a request says about an item's metadata, but for its name and place. Creation takes it as
/// what is known from the start.
package struct MetadataChange: Sendable, Equatable {
    package var created: FieldChange<Timestamp> = .keep
    package var modified: FieldChange<Timestamp> = .keep
    package var lastUsed: FieldChange<Timestamp> = .keep
    package var mode: FieldChange<FileMode> = .keep
    package var flags: FieldChange<ItemFlags> = .keep
    package var favoriteRank: FieldChange<Int64> = .keep
    package var tags: FieldChange<[String]> = .keep
    /// By name; nil takes the attribute away, and what is not named stays.
    package var xattrs: [String: Base64Bytes?] = [:]
    /// A symlink's target.
    package var target: FieldChange<String> = .keep

    package init() {}

    package var isEmpty: Bool {
        self == MetadataChange()
    }
}

extension MetadataChange: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case created, modified, lastUsed, mode, flags, favoriteRank, tags, xattrs, target
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        created = try fields.change(forKey: .created)
        modified = try fields.change(forKey: .modified)
        lastUsed = try fields.change(forKey: .lastUsed)
        mode = try fields.change(forKey: .mode)
        flags = try fields.change(forKey: .flags)
        favoriteRank = try fields.change(forKey: .favoriteRank)
        tags = try fields.change(forKey: .tags)
        xattrs = try fields.decodeIfPresent([String: Base64Bytes?].self, forKey: .xattrs) ?? [:]
        target = try fields.change(forKey: .target)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(created, forKey: .created)
        try fields.encode(modified, forKey: .modified)
        try fields.encode(lastUsed, forKey: .lastUsed)
        try fields.encode(mode, forKey: .mode)
        try fields.encode(flags, forKey: .flags)
        try fields.encode(favoriteRank, forKey: .favoriteRank)
        try fields.encode(tags, forKey: .tags)
        if !xattrs.isEmpty { try fields.encode(xattrs, forKey: .xattrs) }
        try fields.encode(target, forKey: .target)
    }
}
