import FileProvider
import FileProviderReplica

extension Replica {
    /// On whose behalf the extension is asked for something, and what version the domain had when that was wanted.
    func request(
        isSystemRequest: Bool = false, contentLength: Int64? = nil
    ) throws -> NSFileProviderRequest {
        NSFileProviderRequest(
            isSystemRequest: isSystemRequest,
            domainVersion: try read { try $0.domainVersion() }
                .flatMap(NSFileProviderDomainVersion.init(stored:)),
            contentLength: contentLength)
    }
}
