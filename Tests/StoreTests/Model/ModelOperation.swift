import BasketModels
import BasketSupport

@testable import BasketStore

/// One thing that somebody does to a domain, said so that the store and the model both understand.
enum ModelOperation: Sendable {
    case create(ItemCreation, Sighting?)
    case modify(ItemID, ItemChange, Sighting?)
    case replace(ItemID, StagedContent, Sighting?, keeps: Bool)
    case delete(ItemID, Sighting?, recursive: Bool)
    case trash(ItemID, Sighting?)
    case restore(ItemID, to: ItemID?, name: String?)
    case undelete(since: Timestamp, device: Int64?, account: Int64?)
    case restoreVersion(NumberedVersion, of: ItemID, Sighting?)
    case resolve(ItemID, keep: [NumberedVersion], Sighting)
    case thumbnail(ItemID, size: Int, Sighting?)
}

/// A version under both of its names.
struct NumberedVersion: Sendable {
    let version: Version
    let serial: Int
}

/// What came of an operation.
struct ModelOutcome: Equatable, Sendable {
    var ids: [ItemID] = []
    var refused: [String] = []
    var hasConflict = false
    var count = 0
}

extension ModelOperation {
    func perform(on transaction: Transaction, in domain: Domain) throws -> ModelOutcome {
        var outcome = ModelOutcome()
        switch self {
        case .create(var creation, let base):
            creation.base = creation.content == nil ? base?.metadata : base?.content
            outcome.ids = [try transaction.create(creation, in: domain)]
        case .modify(let id, var change, let base):
            change.base = base?.metadata
            outcome.refused = try transaction.modify(id, change, in: domain)
        case .replace(let id, let content, let base, let keeps):
            let condition: ContentCondition =
                base.map { keeps ? .baseOrKeep($0.content) : .base($0.content) } ?? .any
            let conflict = try transaction.replaceContent(
                of: id, with: content, condition: condition, in: domain)
            outcome.hasConflict = conflict != nil
        case .delete(let id, let base, let recursive):
            try transaction.delete(
                id.description, base: base?.content, recursive: recursive, in: domain)
        case .trash(let id, let base): try transaction.trash(id, base: base?.content, in: domain)
        case .restore(let id, let folder, let name):
            try transaction.restore(id, to: folder, name: name, in: domain)
        case .undelete(let since, let device, let account):
            outcome.count = try transaction.undelete(
                Undeletion(since: since, device: device, account: account), in: domain
            ).restored
        case .restoreVersion(let version, let id, let base):
            try transaction.restoreVersion(
                version.version, of: id, base: base?.content, in: domain)
        case .resolve(let id, let keep, let base):
            outcome.ids = try transaction.resolveConflicts(
                of: id, keep: keep.map(\.version), base: base.content, in: domain)
            outcome.count = outcome.ids.count
        case .thumbnail(let id, let size, let base):
            try transaction.setThumbnail(
                Thumbnail(type: "image/png", data: Array(repeating: 7, count: size)), of: id,
                base: base?.content, in: domain)
        }
        return outcome
    }

    /// - Parameter minted: the identifiers that the store gave.
    func perform(
        on model: inout StoreModel, minted: [ItemID], by who: Identity, _ d: Int,
        devices: [Int64: String]
    ) throws -> ModelOutcome {
        var outcome = ModelOutcome()
        switch self {
        case .create(let creation, let base):
            outcome.ids = [
                try model.create(
                    creation, base: base, minted: minted.first ?? ItemID(rawValue: -1), by: who, d)
            ]
        case .modify(let id, let change, let base):
            outcome.refused = try model.modify(id, change, base: base, by: who, d)
        case .replace(let id, let content, let base, let keeps):
            outcome.hasConflict =
                try model.replaceContent(id, content, base: base, keeps: keeps, by: who, d) != nil
        case .delete(let id, let base, let recursive):
            try model.delete(id, base: base, recursive: recursive, by: who, d)
        case .trash(let id, let base): try model.trash(id, base: base, by: who, d)
        case .restore(let id, let folder, let name):
            try model.restore(id, to: folder, name: name, by: who, d)
        case .undelete(let since, let device, let account):
            outcome.count = try model.undelete(
                since: since, device: device, account: account, by: who, d)
        case .restoreVersion(let version, let id, let base):
            try model.restoreVersion(version.serial, of: id, base: base, by: who, d)
        case .resolve(let id, let keep, let base):
            let name = model.domains[d].items[id]?.name ?? ""
            let rule = model.domains[d].rule
            outcome.count = try model.resolve(
                id, keep: keep.map(\.serial), base: base, minted: minted,
                names: { version in
                    ConflictName(
                        name, origin: version.device.flatMap { devices[$0] } ?? "?",
                        day: String(version.stored.rfc3339.prefix(10)), rule: rule
                    ).text
                }, by: who, d)
            outcome.ids = minted
        case .thumbnail(let id, let size, let base):
            try model.setThumbnail(id, size: Int64(size), base: base, by: who, d)
        }
        return outcome
    }
}
