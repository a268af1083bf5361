import FileProvider
import Foundation

/// How far a client has followed the domain's changes: the server's anchor, and how far it has heard of
/// what only this device knows.
struct WorkingSetAnchor: Equatable, Sendable {
    private static let separator: Character = ";"

    let server: String
    let serial: Int64

    init(server: String, serial: Int64) {
        self.server = server
        self.serial = serial
    }

    /// Nil for what was never one.
    init?(_ data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let serial = Int64(parts[1]) else { return nil }
        server = String(parts[0])
        self.serial = serial
    }

    var data: Data { Data("\(server)\(Self.separator)\(serial)".utf8) }

    var syncAnchor: NSFileProviderSyncAnchor { NSFileProviderSyncAnchor(data) }
}
