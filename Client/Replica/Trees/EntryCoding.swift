import BasketSupport
import FileProvider
import Foundation

/// An entry as bytes, for the trees that say something else than the local one. Rows that are written by
/// one version are read by the next: a new form gets a new first byte.
enum EntryCoding {
    private static let form: UInt8 = 1

    static func encode(_ entry: Entry) -> [UInt8] {
        var writer = Writer()
        writer.bytes.append(form)
        writer.bytes.append(UInt8(entry.kind.rawValue))
        writer.number(entry.parent.rawValue)
        writer.text(entry.name)
        switch entry.content {
        case .none: writer.bytes.append(0)
        case .version(let version):
            writer.bytes.append(1)
            writer.data(version)
        case .edit(let number):
            writer.bytes.append(2)
            writer.number(number)
        case .target(let path):
            writer.bytes.append(3)
            writer.text(path)
        }
        writer.attributes(entry.attributes)
        return writer.bytes
    }

    /// Nil for what no version of this program wrote.
    static func decode(_ bytes: [UInt8]) -> Entry? {
        var reader = Reader(bytes: bytes[...])
        guard reader.byte() == form,
            let kind = reader.byte().flatMap({ NodeKind(rawValue: Int($0)) }),
            let parent = reader.number(), let name = reader.text(), let content = reader.content(),
            let attributes = reader.attributes(), reader.bytes.isEmpty
        else { return nil }
        return Entry(
            parent: NodeID(rawValue: parent), name: name, kind: kind, content: content,
            attributes: attributes)
    }

    /// Changes that were asked for; nil for none.
    static func encode(unheard changes: [UnheardChange]) -> [UInt8]? {
        guard !changes.isEmpty else { return nil }
        var writer = Writer()
        for change in changes {
            writer.number(Int64(bitPattern: UInt64(change.fields.rawValue)))
            writer.data(encode(change.entry))
        }
        return writer.bytes
    }

    /// Nil for what no version of this program wrote.
    static func unheard(of bytes: [UInt8]) -> [UnheardChange]? {
        var reader = Reader(bytes: bytes[...])
        var changes: [UnheardChange] = []
        while !reader.bytes.isEmpty {
            guard let fields = reader.number(), let coded = reader.data(),
                let entry = decode(Array(coded))
            else { return nil }
            changes.append(
                UnheardChange(
                    stored: NSFileProviderItemFields(rawValue: UInt(bitPattern: Int(fields))),
                    entry))
        }
        return changes
    }

    /// Extended attributes alone; nil for none.
    static func encode(attributes: [String: Data]) -> [UInt8]? {
        guard !attributes.isEmpty else { return nil }
        var writer = Writer()
        writer.extended(attributes)
        return writer.bytes
    }

    static func attributes(of bytes: [UInt8]) -> [String: Data]? {
        var reader = Reader(bytes: bytes[...])
        return reader.extended()
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func number(_ value: Int64) {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
            }
        }

        mutating func data(_ data: some Collection<UInt8>) {
            number(Int64(data.count))
            bytes += data
        }

        mutating func text(_ text: String) {
            data(text.utf8)
        }

        mutating func optional<Value>(_ value: Value?, _ write: (inout Writer, Value) -> Void) {
            bytes.append(value == nil ? 0 : 1)
            if let value { write(&self, value) }
        }

        mutating func attributes(_ attributes: EntryAttributes) {
            optional(attributes.created) { $0.number($1.nanoseconds) }
            optional(attributes.modified) { $0.number($1.nanoseconds) }
            optional(attributes.lastUsed) { $0.number($1.nanoseconds) }
            number(Int64(bitPattern: UInt64(attributes.flags.rawValue)))
            optional(attributes.favoriteRank) { $0.number(Int64(bitPattern: $1)) }
            optional(attributes.tags) { $0.data($1) }
            number(Int64(bitPattern: attributes.typeAndCreator))
            extended(attributes.extended)
        }

        mutating func extended(_ attributes: [String: Data]) {
            number(Int64(attributes.count))
            // Sorted, so that equal entries are equal bytes.
            for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
                text(name)
                data(value)
            }
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func byte() -> UInt8? {
            bytes.popFirst()
        }

        mutating func number() -> Int64? {
            guard bytes.count >= 8 else { return nil }
            defer { bytes = bytes.dropFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        }

        mutating func data() -> Data? {
            guard let count = number(), count >= 0, count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return Data(bytes.prefix(Int(count)))
        }

        mutating func text() -> String? {
            guard let data = data() else { return nil }
            return String(validating: data, as: UTF8.self)
        }

        mutating func content() -> EntryContent? {
            switch byte() {
            case 0: EntryContent.none
            case 1: data().map(EntryContent.version)
            case 2: number().map(EntryContent.edit)
            case 3: text().map(EntryContent.target)
            default: nil
            }
        }

        /// The outer optional is nil for broken bytes, the inner one for a value that is not there.
        mutating func optional<Value>(_ read: (inout Reader) -> Value?) -> Value?? {
            switch byte() {
            case 0: return .some(nil)
            case 1: return read(&self).map(Optional.some)
            default: return nil
            }
        }

        mutating func attributes() -> EntryAttributes? {
            func date(_ reader: inout Reader) -> Timestamp? {
                reader.number().map(Timestamp.init(nanoseconds:))
            }
            guard let created = optional(date), let modified = optional(date),
                let lastUsed = optional(date), let flags = number(),
                let rank = optional({ $0.number().map(UInt64.init(bitPattern:)) }),
                let tags = optional({ $0.data() }), let type = number(),
                let extended = extended()
            else { return nil }
            return EntryAttributes(
                created: created, modified: modified, lastUsed: lastUsed,
                flags: NSFileProviderFileSystemFlags(
                    rawValue: UInt(bitPattern: Int(flags))),
                favoriteRank: rank, tags: tags, extended: extended,
                typeAndCreator: UInt64(bitPattern: type))
        }

        mutating func extended() -> [String: Data]? {
            guard let count = number(), count >= 0 else { return nil }
            var extended: [String: Data] = [:]
            for _ in 0..<count {
                guard let name = text(), let value = data() else { return nil }
                extended[name] = value
            }
            return extended
        }
    }
}
