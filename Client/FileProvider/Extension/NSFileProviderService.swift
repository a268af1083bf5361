import Foundation

/// A service, as a client has it. On Apple's systems Foundation declares it.
public final class NSFileProviderService: NSObject, Sendable {
    public let name: NSFileProviderServiceName
    private let connect:
        @Sendable (@escaping @Sendable (NSXPCListenerEndpoint?, (any Error)?) -> Void) -> Void

    package init(
        name: NSFileProviderServiceName,
        connect:
            @escaping @Sendable (
                @escaping @Sendable (NSXPCListenerEndpoint?, (any Error)?) -> Void
            ) -> Void
    ) {
        self.name = name
        self.connect = connect
    }

    /// Starts the extension if need be, and tells where it listens. The client connects to the socket.
    public func getFileProviderConnection(
        completionHandler: @escaping @Sendable (NSXPCListenerEndpoint?, (any Error)?) -> Void
    ) {
        connect(completionHandler)
    }

    /// Starts the extension if need be, and tells where it listens. The client connects to the socket.
    public func fileProviderConnection() async throws -> NSXPCListenerEndpoint {
        try await Answer.result { done in
            connect { endpoint, error in done(Result(endpoint, error)) }
        }
    }
}
