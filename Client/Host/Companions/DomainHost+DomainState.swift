import BasketSupport
import FileProvider
import FileProviderReplica

// Which state of the domain is seen.
extension DomainHost {
    /// The version of the domain that the extension has told last; nil if it has none.
    package func domainVersion() throws -> NSFileProviderDomainVersion? {
        try replica.read { try $0.domainVersion() }
            .flatMap(NSFileProviderDomainVersion.init(stored:))
    }

    static func note(domainVersion version: Int64, in replica: Replica) async {
        do {
            // Nearly every time it is the same.
            if try replica.read({ try $0.domainVersion() ?? -1 }) >= version { return }
            try await replica.write { try $0.note(domainVersion: version) }
        } catch {
            replica.world.log.warning(
                "the domain's version cannot be noted", ["error": .text("\(error)")])
        }
    }
}
