import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// What is known of an item that something is wrong with.
extension DomainSystem {
    /// So many reports are kept.
    private static let mostReports = 20

    /// Writes a report into the domain's folder: nobody is asked, and nothing leaves the machine.
    package func requestDiagnosticCollection(
        for item: NSFileProviderItemIdentifier, errorReason: any Error,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        let reason = DomainHost.Failure(error: errorReason)
        ask(completionHandler) { host in
            let id = try self.node(item, host)
            let report = try host.replica.read { reader in
                try reader.node(id).map {
                    try DiagnosticReport(of: $0, because: reason.error, reader)
                }
            }
            if let report { try self.keep(report) }
        }
    }

    private func keep(_ report: DiagnosticReport) throws {
        let files = world.files
        let folder = folder + "/diagnostics"
        try files.makeFolder(folder)
        // Their names begin with the time: the first is the oldest.
        let known = try files.list(folder)
        for old in known.dropLast(Self.mostReports - 1) { try files.remove("\(folder)/\(old)") }
        let name = "\(world.now().rfc3339)-\(report.node).json"
        try files.replace("\(folder)/\(name)", with: report.bytes)
        world.log.info("a report was written", ["node": .number(report.node)])
    }
}
