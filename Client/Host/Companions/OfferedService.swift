import FileProvider

/// A service as the extension offers it for one item.
struct OfferedService: Sendable {
    let service: NSFileProviderService
    let isRestricted: Bool

    init(_ source: any NSFileProviderServiceSource) {
        let source = Source(source: source)
        isRestricted = source.source.isRestricted
        service = NSFileProviderService(name: source.source.serviceName) { done in
            do {
                done(try source.source.makeListenerEndpoint(), nil)
            } catch {
                done(nil, error)
            }
        }
    }

    /// Extensions' objects are called from any thread, as the API says.
    private struct Source: @unchecked Sendable {
        let source: any NSFileProviderServiceSource
    }
}
