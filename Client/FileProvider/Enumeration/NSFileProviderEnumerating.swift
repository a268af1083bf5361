import Foundation

/// Who can list the items of a container.
public protocol NSFileProviderEnumerating: NSObjectProtocol {
    /// An enumerator for a folder, a document that is shown, the trash or the working set. It returns at
    /// once; the work is the enumerator's.
    ///
    /// A provider without a trash throws `CocoaError(.featureUnsupported)` for it.
    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator
}
