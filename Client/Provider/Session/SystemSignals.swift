import FileProvider
import Foundation

/// What the extension tells the system by itself.
struct SystemSignals: Sendable {
    private let manager: NSFileProviderManager?

    init(_ domain: NSFileProviderDomain) {
        manager = NSFileProviderManager(for: domain)
    }

    /// There are changes in the working set. A system that is gone needs to know of none.
    func changed() {
        manager?.signalEnumerator(for: .workingSet) { _ in }
    }

    /// Has all that is here offered to the server once more, which may not have it; it is stored when this returns.
    func offerEverything() async throws {
        try await manager?.reimportItems(below: .rootContainer)
    }

    /// What waited because of this error may be tried again.
    func resolved(_ code: NSFileProviderError.Code) {
        manager?.signalErrorResolved(NSFileProviderError(code)) { _ in }
    }
}
