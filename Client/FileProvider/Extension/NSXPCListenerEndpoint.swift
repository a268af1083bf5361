import Foundation

/// Where a service listens. Linux has no XPC: here it is the path of a Unix domain socket, and what is said
/// over it is for the two sides to agree on.
public final class NSXPCListenerEndpoint: NSObject, Sendable {
    /// The socket's file. The service makes it, with the rights that it wants clients to have.
    public let socket: URL

    public init(socket: URL) {
        self.socket = socket
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? NSXPCListenerEndpoint)?.socket == socket
    }

    public override var hash: Int { socket.hashValue }
}
