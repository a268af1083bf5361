import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

/// Where domains lie, and what the registry needs to look into their replicas.
package struct RegistrySettings: Sendable {
    /// Holds a folder for each domain.
    package var folder: String
    /// Where people see their domains, each under its name; and what is kept of removed ones beside them.
    package var places: String
    /// Names the machine's present start.
    package var boot: String
    /// For a replica that nobody hosts.
    package var makeWriter: @Sendable (String) async throws -> any DatabaseWriter
    /// Keeps the folder from other registries, in other processes and in this one, for as long as that is held.
    package var lock: @Sendable (String) throws -> FileLock? = FileLock.take
    /// - Parameter domain: what it is about, where it is about one.
    package var post:
        @Sendable (_ name: Notification.Name, _ domain: NSFileProviderDomainIdentifier?) -> Void = {
            NotificationCenter.default.post(name: $0, object: $1)
        }

    package init(
        folder: String, places: String, boot: String,
        makeWriter: @escaping @Sendable (String) async throws -> any DatabaseWriter
    ) {
        self.folder = folder
        self.places = places
        self.boot = boot
        self.makeWriter = makeWriter
    }
}
