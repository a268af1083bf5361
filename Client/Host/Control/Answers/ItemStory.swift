import FileProvider
import FileProviderReplica
import FileProviderRules
import Foundation

/// Everything that is known of one item.
package struct ItemStory: Codable, Sendable {
    /// What is on its way of it.
    package struct Transfer: Codable, Sendable {
        package var isUpload: Bool
        package var bytes: Int64
        package var completedBytes: Int64

        init(_ transfer: ItemTransfer) {
            isUpload = transfer.kind == .uploading
            bytes = transfer.bytes
            completedBytes = transfer.completedBytes
        }
    }

    /// A line of an ignore list that is passed over.
    package struct ListFlaw: Codable, Sendable, Equatable {
        /// Counts from one.
        package var line: Int
        package var message: String

        init(_ flaw: IgnoreFlaw) {
            line = flaw.line
            message = flaw.problem.message
        }
    }

    package var state: ItemState
    /// What each tree says, and what the host notes of it.
    package var report: DiagnosticReport
    /// How its content is kept, as the provider says of it or of a folder above.
    package var policy: String
    /// Why its bytes are here; nil when none are.
    package var keeps: CachedContent.Reason?
    /// Whether a program has it open.
    package var isOpen: Bool
    /// Whether its removal waits until somebody says that so many are meant.
    package var isHeld: Bool
    package var transfers: [Transfer]
    package var decorations: [ShownMark]
    package var hydrations: [HydrationEntry]
    /// Of an ignore list, the lines that are passed over.
    package var flaws: [ListFlaw]
}
