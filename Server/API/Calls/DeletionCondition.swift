import BasketDatabase
import BasketHTTP
import BasketModels
import BasketStore

/// What must be there for a deletion: `base` in the query, or the same said with `If-Match`.
enum DeletionCondition: Sendable {
    case none
    /// Another content is not to be lost.
    case base(Version)
    /// The same as a condition of HTTP, which fails with its status.
    case match(Version)
    /// `If-Match: *`: what is gone already cannot be deleted.
    case exists

    init(_ call: Call) throws {
        let base = try call.version("base")
        let header = call.request.headers.all("If-Match")
        guard !header.isEmpty else {
            self = base.map { .base($0) } ?? .none
            return
        }
        guard base == nil else {
            throw Problem.badParameter("If-Match", "either base or If-Match")
        }
        self = try Contents.version(inIfMatch: header).map { .match($0) } ?? .exists
    }

    var version: Version? {
        switch self {
        case .none, .exists: nil
        case .base(let version), .match(let version): version
        }
    }

    /// Looks at the item before anything happens to it.
    func check(_ name: String, _ db: Connection, in domain: Domain) throws {
        switch self {
        case .none, .base: return
        case .exists:
            guard try living(name, db, in: domain) != nil else {
                throw Problem(412, "precondition_failed", "There is no such item any more.")
            }
        case .match(let version):
            // What is gone already is for the deletion itself to say.
            guard let item = try living(name, db, in: domain) else { return }
            guard item.kind == .file else {
                throw Problem.badParameter(
                    "If-Match", "only files have a content; * asks for any item that is there")
            }
            guard item.contentVersion == version else { throw StoreError.staleContent(item.id) }
        }
    }

    private func living(
        _ name: String, _ db: Connection, in domain: Domain
    ) throws -> StoredItem? {
        do {
            return try db.item(name, in: domain)
        } catch StoreError.noSuchItem {
            return nil
        }
    }
}
