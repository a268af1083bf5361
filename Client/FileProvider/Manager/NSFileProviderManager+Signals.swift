import Foundation

extension NSFileProviderManager {
    /// Says that there are changes in the working set. Other containers need no signal, and are not heard.
    public func signalEnumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.signalEnumerator(
                for: containerItemIdentifier, in: domain, completionHandler: completionHandler)
        }
    }

    /// Says that there are changes in the working set. Other containers need no signal, and are not heard.
    public func signalEnumerator(for containerItemIdentifier: NSFileProviderItemIdentifier)
        async throws
    {
        try await Answer.success {
            signalEnumerator(for: containerItemIdentifier, completionHandler: $0)
        }
    }

    /// Says that an error does not stand any more: whatever waited because of it is tried again.
    public func signalErrorResolved(
        _ error: any Error, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        ask(completionHandler) { system, domain in
            system.signalErrorResolved(error, in: domain, completionHandler: completionHandler)
        }
    }

    /// Says that an error does not stand any more: whatever waited because of it is tried again.
    public func signalErrorResolved(_ error: any Error) async throws {
        try await Answer.success { signalErrorResolved(error, completionHandler: $0) }
    }
}
