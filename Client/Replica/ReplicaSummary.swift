import BasketDatabase
import BasketSupport
import Foundation

/// What a replica says of its domain, for somebody who has not opened it: its host may be working with it.
package struct ReplicaSummary: Sendable, Equatable {
    package let disconnection: Disconnection?
    /// Another one when everything is known anew.
    package let identity: Data

    /// Nil for a replica that was never opened.
    package init?(folder: String, files: any FileSystem) throws {
        let path = folder + "/replica.db"
        guard files.exists(path) else { return nil }
        let db = try Connection(path: path, mode: .reader)
        // It may have been made just now, and be empty yet.
        let isReady: Bool? = try db.value(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'disconnection'")
        guard isReady == true,
            let identity: [UInt8] = try db.value("SELECT identity FROM replica"),
            let rule: CaseRule = try db.value("SELECT caseRule FROM replica")
        else { return nil }
        self.identity = Data(identity)
        disconnection = try ReplicaReader(db: db, rule: rule).disconnection()
    }
}
