import Foundation

/// A service for one item.
public protocol NSFileProviderServiceSource {
    var serviceName: NSFileProviderServiceName { get }
    /// Where clients connect to. The extension listens there, and decides whom it talks to.
    func makeListenerEndpoint() throws -> NSXPCListenerEndpoint
    /// Whether only programs that manage the domain may have it. May be left out: everybody may.
    var isRestricted: Bool { get }
}

extension NSFileProviderServiceSource {
    public var isRestricted: Bool { false }
}
