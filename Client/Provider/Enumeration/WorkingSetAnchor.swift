import FileProvider
import Foundation

/// How far a client has followed the domain's changes: the server's anchor, how far it has heard of what
/// only this device knows, and what may be done with the items, which no change of an item tells.
package struct WorkingSetAnchor: Equatable, Sendable {
    private static let separator: Character = ";"
    private static let shared = "s"

    let server: String
    let serial: Int64
    /// What the domain allowed when the items were told.
    let terms: String
    /// Whether the root was told to be shared with others: no change of an item tells that either.
    let isShared: Bool

    init(server: String, serial: Int64, terms: String, isShared: Bool) {
        self.server = server
        self.serial = serial
        self.terms = terms
        self.isShared = isShared
    }

    /// Nil for what was never one.
    package init?(_ data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        // The server's own part may hold whatever it likes.
        guard parts.count >= 3, let serial = Int64(parts[parts.count - 2]) else { return nil }
        server = parts.dropLast(2).joined(separator: String(Self.separator))
        self.serial = serial
        let last = String(parts[parts.count - 1])
        isShared = last.hasSuffix(Self.shared)
        terms = isShared ? String(last.dropLast(Self.shared.count)) : last
        guard !server.isEmpty else { return nil }
    }

    private var data: Data {
        let last = terms + (isShared ? Self.shared : "")
        return Data("\(server)\(Self.separator)\(serial)\(Self.separator)\(last)".utf8)
    }

    package func syncAnchor() throws -> NSFileProviderSyncAnchor {
        let data = data
        guard data.count <= NSFileProviderPage.mostBytes else {
            throw ProviderFailure.unsupported("The server's anchor is too long.")
        }
        return NSFileProviderSyncAnchor(data)
    }
}
