import FileProvider
import Foundation

/// A service of the cloud's for one item: it listens at a socket of that name.
struct CloudService: NSFileProviderServiceSource {
    let name: String
    let item: NSFileProviderItemIdentifier
    let isRestricted: Bool

    var serviceName: NSFileProviderServiceName { NSFileProviderServiceName(name) }

    func makeListenerEndpoint() throws -> NSXPCListenerEndpoint {
        NSXPCListenerEndpoint(socket: URL(fileURLWithPath: "/run/\(name)/\(item.rawValue)"))
    }
}
