import BasketContent
import BasketModels
import BasketSupport

@testable import BasketStore

/// One content of an item, in the model. Serials rise, as versions do.
struct ModelContent {
    var serial: Int
    /// When it was written.
    var tick = 0
    var content: StagedContent?
    /// The serial that its writer had seen.
    var base: Int?
    var device: Int64?
    var stored: Timestamp
    var modified: Timestamp
    /// When it stopped being the current one.
    var superseded: Timestamp?

    var size: Int64 { content?.size ?? 0 }
}

/// An item, in the model.
struct ModelItem {
    let id: ItemID
    let kind: ItemKind
    var parent: ItemID?
    var name: String
    var current: ModelContent
    var earlier: [ModelContent] = []
    var conflicts: [ModelContent] = []
    var thumbnail: Int64?

    var created: Timestamp
    var used: Timestamp?
    var mode: FileMode
    var flags: ItemFlags = []
    var favorite: Int64?
    var tags: [String] = []
    var target: String?
    var xattrs: [String: (value: [UInt8], tick: Int)] = [:]
    /// When each attribute that is gone was removed.
    var removedXattrs: [String: Int] = [:]
    /// When each field changed last.
    var ticks: [FieldStamps.Field: Int] = [:]
    let madeAt: Int

    var trashed: Timestamp?
    var trashedFrom: ItemID?
    var deleted: Timestamp?
    var deletedBy: Int64?
    var deletedWith: Int64?
    var isPurged = false
    var rank: Int64

    var isLive: Bool { deleted == nil }

    /// What it counts for, but for earlier versions.
    var bytes: Int64 {
        current.size + conflicts.reduce(0) { $0 + $1.size } + (thumbnail ?? 0)
    }

    func mayChange(_ field: FieldStamps.Field, _ base: Sighting?) -> Bool {
        guard let base else { return true }
        return ticks[field, default: madeAt] <= base.tick
    }

    /// The same words that `ModelRun` makes of the database's row.
    func line(children: Int) -> String {
        func text(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "-" }
        func nanoseconds(_ value: Timestamp?) -> String { text(value?.nanoseconds) }
        func hash(_ content: ModelContent) -> String {
            content.content?.hash.hex.uppercased() ?? "-"
        }
        let attributes = xattrs.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(Hex.encode($0.value.value).uppercased())" }
        let versions = (earlier.map { (0, $0) } + conflicts.map { (1, $0) })
            .sorted { $0.1.serial < $1.1.serial }
            .map { "\($0.0):\(hash($0.1)):\(nanoseconds($0.1.superseded)):\(text($0.1.device))" }
        return [
            text(id.rawValue), text(parent?.rawValue), name, text(kind.rawValue), text(rank),
            isPurged ? "purged" : hash(current), text(current.size), isLive ? "\(children)" : "-",
            text(target), nanoseconds(created), nanoseconds(current.modified), nanoseconds(used),
            text(mode.rawValue), text(flags.rawValue), text(favorite),
            tags.isEmpty ? "-" : "[" + tags.map { "\"\($0)\"" }.joined(separator: ",") + "]",
            attributes.joined(separator: ","), text(thumbnail), nanoseconds(trashed),
            text(trashedFrom?.rawValue), nanoseconds(deleted), text(deletedBy), text(deletedWith),
            versions.joined(separator: ","),
        ].joined(separator: "|")
    }

    /// The query for the lines of a domain.
    static let lines = """
        SELECT id || '|' || ifnull(parent, '-') || '|' || name || '|' || kind || '|' || rank || '|'
            || iif(deleted IS NOT NULL AND content IS NULL AND hash IS NOT NULL, 'purged',
                iif(hash IS NULL, '-', hex(hash)))
            || '|' || size || '|' || iif(deleted IS NULL, children, '-') || '|'
            || ifnull(target, '-') || '|' || created || '|' || modified || '|' || ifnull(used, '-')
            || '|' || mode || '|' || flags || '|' || ifnull(favorite, '-') || '|'
            || ifnull(tags, '-') || '|' || ifnull((SELECT group_concat(entry) FROM (
                SELECT name || '=' || hex(value) AS entry FROM xattr WHERE xattr.item = item.id
                ORDER BY name)), '')
            || '|' || ifnull((SELECT length(data) FROM thumbnail WHERE thumbnail.item = item.id), '-') || '|'
            || ifnull(trashed, '-') || '|' || ifnull(trashed_from, '-') || '|'
            || ifnull(deleted, '-') || '|' || ifnull(deleted_by, '-') || '|'
            || ifnull(deleted_with, '-') || '|' || ifnull((SELECT group_concat(entry) FROM (
                SELECT conflict || ':' || hex(hash) || ':' || superseded || ':'
                    || ifnull(device, '-') AS entry
                FROM version WHERE version.item = item.id ORDER BY id)), '')
        FROM item WHERE domain = ? ORDER BY id
        """
}

/// What a device once saw of an item: the base of what it writes later.
struct Sighting: Sendable {
    let content: Version
    let metadata: Version
    let serial: Int
    /// When the content that was seen was written.
    let contentTick: Int
    var tick: Int
}
