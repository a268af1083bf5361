import BasketContent
import BasketSupport

/// `POST …/items`: a new item. Everything of its metadata may be said at once.
package struct CreateItemRequest: Codable, Sendable {
    /// A folder's identifier, or `root`.
    package var parent: String
    package var name: String
    package var kind: ItemKind
    package var ifExists: CollisionPolicy?
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
        case parent, name, kind, ifExists, base, content, manifest
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        parent = try fields.decodeIfPresent(String.self, forKey: .parent) ?? "root"
        name = try fields.decode(String.self, forKey: .name)
        kind = try fields.decode(ItemKind.self, forKey: .kind)
        ifExists = try fields.decodeIfPresent(CollisionPolicy.self, forKey: .ifExists)
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
        try fields.encodeIfPresent(base, forKey: .base)
        try fields.encodeIfPresent(content, forKey: .content)
        try fields.encodeIfPresent(manifest, forKey: .manifest)
        try metadata.encode(to: encoder)
    }
}

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

/// `POST …/items/I/trash`.
package struct TrashRequest: Codable, Sendable {
    /// The content version that was seen.
    package var base: Version?

    package init(base: Version? = nil) {
        self.base = base
    }
}

/// `POST …/items/I/restore`: out of the trash.
package struct RestoreRequest: Codable, Sendable {
    /// Where to; else to where it was.
    package var parent: String?
    package var name: String?

    package init(parent: String? = nil, name: String? = nil) {
        self.parent = parent
        self.name = name
    }
}

/// `POST …/items/I/versions/V/restore`.
package struct RestoreVersionRequest: Codable, Sendable {
    package var base: Version?

    package init(base: Version? = nil) {
        self.base = base
    }
}

/// `POST …/items/I/conflicts/resolve`.
package struct ResolveConflictsRequest: Codable, Sendable {
    package var keep: [Version]
    /// The current content version that was seen.
    package var base: Version

    package init(keep: [Version], base: Version) {
        self.keep = keep
        self.base = base
    }
}

/// `PUT …/items/I/lock`.
package struct LockRequest: Codable, Sendable {
    package var seconds: Int?
    package var note: String?

    package init(seconds: Int? = nil, note: String? = nil) {
        self.seconds = seconds
        self.note = note
    }
}

/// `PUT …/items/I/content` with a manifest instead of bytes.
package struct ContentFromManifestRequest: Codable, Sendable {
    package var manifest: Manifest
    /// The content's own date; else the moment of the request.
    package var modified: Timestamp?

    package init(manifest: Manifest, modified: Timestamp? = nil) {
        self.manifest = manifest
        self.modified = modified
    }
}

/// `POST …/chunks/missing`.
package struct MissingChunksRequest: Codable, Sendable {
    package var hashes: [ContentHash]

    package init(hashes: [ContentHash]) {
        self.hashes = hashes
    }
}

/// `POST …/undelete`.
package struct UndeleteRequest: Codable, Sendable {
    package var since: Timestamp
    /// Only what this device deleted.
    package var device: DeviceID?
    /// Only what this account deleted.
    package var account: String?

    package init(since: Timestamp, device: DeviceID? = nil, account: String? = nil) {
        self.since = since
        self.device = device
        self.account = account
    }
}
