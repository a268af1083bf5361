import BasketSupport
import Foundation
import Glibc

/// Where things lie for a person on this machine, as freedesktop.org has it.
package struct ClientPlaces: Sendable {
    /// Holds what lasts: a folder for each domain, with its replica.
    package let data: String
    /// Holds sockets, for as long as somebody listens.
    package let sockets: String
    /// Where people see their domains.
    package private(set) var folders: String
    /// What a person has set for all of their domains, where there is such a file.
    package let settings: String
    /// Where a daemon that nobody looks after says what happens to it.
    package let log: String

    /// - Parameter runtime: where sockets of this person belong, as far as the machine has such a place: who starts
    ///   programs without anybody being logged in says nothing of it.
    package init(environment: [String: String], runtime: String? = nil) throws(Failure) {
        // A path that is not whole is to be passed over, says the specification.
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil }
        }
        guard let home = folder("HOME") else { throw .noHome }
        data = (folder("XDG_DATA_HOME") ?? home + "/.local/share") + "/basket"
        sockets = (folder("XDG_RUNTIME_DIR") ?? runtime).map { $0 + "/basket" } ?? data + "/run"
        folders = folder("BASKET_FOLDER") ?? home + "/Basket"
        settings = (folder("XDG_CONFIG_HOME") ?? home + "/.config") + "/basket/client.conf"
        log = (folder("XDG_STATE_HOME") ?? home + "/.local/state") + "/basket/daemon.log"
    }

    /// Why nobody knows where anything lies.
    package enum Failure: Error {
        case noHome
    }

    /// Where the daemon is spoken to.
    package var daemonSocket: String { sockets + "/daemon.sock" }
    /// As the kernel calls what people may reach by way of links.
    package var foldersWithoutLinks: String {
        URL(fileURLWithPath: folders).resolvingSymlinksInPath().path
    }
    package var domains: String { data + "/domains" }
    /// Log-ins of domains, where no safer place is known.
    package var credentials: String { data + "/credentials" }

    /// The same for a daemon that shows domains elsewhere: its environment is another one than that of who asks it.
    package func showing(in folder: String?) -> ClientPlaces {
        var places = self
        places.folders = folder ?? folders
        return places
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
