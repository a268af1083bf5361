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
        // The server's may hold whatever it likes.
        guard let end = text.lastIndex(of: Self.separator), end > text.startIndex,
            let serial = Int64(text[text.index(after: end)...])
        else { return nil }
        server = String(text[..<end])
        self.serial = serial
    }

    var data: Data { Data("\(server)\(Self.separator)\(serial)".utf8) }

    func syncAnchor() throws -> NSFileProviderSyncAnchor {
        let data = data
        guard data.count <= NSFileProviderPage.mostBytes else {
            throw ProviderFailure.unsupported("The server's anchor is too long.")
        }
        return NSFileProviderSyncAnchor(data)
    }
}
