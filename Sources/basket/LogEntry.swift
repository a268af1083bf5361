import BasketModels
import BasketProvider
import BasketSupport

/// Something that changed in a domain, as scripts see it.
struct LogEntry: Codable {
    /// `created`, `written`, `changed` (its name, its place or what else is said of it), `trashed`.
    var change: String
    var identifier: String
    var path: String
    /// When the server heard of it, where it tells.
    var when: String?
    var account: String?
    var device: String?
    var version: String?
    var size: Int64?

    /// - Parameter version: the content that came with it.
    init(_ change: DomainChange, _ version: VersionInfo?) {
        self.change = change.kind.rawValue
        identifier = change.item.id
        path = change.path
        when = version?.stored.rfc3339 ?? change.when?.rfc3339
        take(version)
    }

    init(_ version: VersionInfo, of identifier: String, at path: String) {
        change = DomainChange.Kind.written.rawValue
        self.identifier = identifier
        self.path = path
        when = version.stored.rfc3339
        take(version)
    }

    private mutating func take(_ version: VersionInfo?) {
        account = version?.account
        device = version?.device
        self.version = version?.version.description
        size = version?.size
    }

    var text: String {
        let moment = when.map { Words.moment($0) } ?? ""
        let who = [account.map { Words.shown($0) }, device.map { "on \(Words.shown($0))" }]
            .compactMap(\.self).joined(separator: " ")
        let size = size.map { Words.bytes($0) } ?? ""
        return """
            \(Words.left(moment, 23))  \(Words.left(change, 7))  \(Words.right(size, 10))  \(Words.path(path))\
            \(who.isEmpty ? "" : "  (\(who))")
            """
    }
}
