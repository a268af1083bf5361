import FileProvider
import FileProviderReplica
import Foundation

// What the extension offers to other programs.
extension DomainHost {
    /// The services that the extension has for an item. One that the extension does not have is none.
    /// - Parameter includingRestricted: also those that are only for programs that manage the domain.
    package func services(
        for item: NSFileProviderItemIdentifier, includingRestricted: Bool
    ) async throws -> [NSFileProviderService] {
        try await calls.whenSettled { try await calls.services(for: item) }
            .filter { includingRestricted || !$0.isRestricted }.map(\.service)
    }
}
