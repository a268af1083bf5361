import BasketDatabase
import BasketModels
import BasketSupport

// What a request may say about metadata, and how its parts are stored.
extension Transaction {
    /// Linux keeps 64 KiB of a value, and `ext4` less; a list of items must stay of a bearable size.
    package static let longestAttribute = 64 << 10
    package static let longestAttributes = 128 << 10
    package static let mostAttributes = 128
    package static let mostTags = 100
    package static let longestTag = 255
    package static let longestTarget = 4095

    func check(
        _ metadata: MetadataChange, kind: ItemKind, creating: Bool
    ) throws(StoreError) {
        switch (kind, metadata.target) {
        case (.symlink, .keep):
            if creating {
                throw .badField(field: "target", reason: "a symlink needs one")
            }
        case (.symlink, .set(let target)):
            guard (1...Self.longestTarget).contains(target.utf8.count), !target.utf8.contains(0)
            else {
                throw .badField(
                    field: "target", reason: "1 to \(Self.longestTarget) bytes without NUL")
            }
        case (.symlink, .clear):
            throw .badField(field: "target", reason: "a symlink needs one")
        case (_, .keep): break
        default: throw .badField(field: "target", reason: "only a symlink has one")
        }
        for case (.clear, let field) in [
            (metadata.created.isClear, "created"), (metadata.modified.isClear, "modified"),
            (metadata.mode.isClear, "mode"),
        ] as [(Clearing, String)] {
            throw .badField(field: field, reason: "it always has a value")
        }
        if let tags = metadata.tags.value {
            guard tags.count <= Self.mostTags,
                tags.allSatisfy({
                    (1...Self.longestTag).contains($0.utf8.count) && !$0.utf8.contains(0)
                })
            else {
                throw .badField(
                    field: "tags",
                    reason: "up to \(Self.mostTags) of 1 to \(Self.longestTag) bytes without NUL")
            }
        }
        for (name, value) in metadata.xattrs {
            guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else {
                throw .badField(field: "xattrs", reason: "names of 1 to 255 bytes without NUL")
            }
            guard (value?.bytes.count ?? 0) <= Self.longestAttribute else {
                throw .badField(
                    field: "xattrs.\(name)", reason: "up to \(Self.longestAttribute) bytes")
            }
        }
    }

    /// Tags as they lie in the row; nil for none.
    func tagText(_ tags: [String]) -> String? {
        guard !tags.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.array { writer in
            for tag in tags { writer.string(tag) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Whether a change takes a field's value away.
private enum Clearing {
    case clear, other
}

extension FieldChange {
    fileprivate var isClear: Clearing {
        if case .clear = self { .clear } else { .other }
    }
}
