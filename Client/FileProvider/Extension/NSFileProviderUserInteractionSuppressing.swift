import Foundation

/// An extension that remembers which alerts a person does not want to see again. Both methods return at
/// once.
public protocol NSFileProviderUserInteractionSuppressing: NSObjectProtocol {
    func setInteractionSuppressed(
        _ suppression: Bool, forIdentifier suppressionIdentifier: String)
    func isInteractionSuppressed(forIdentifier suppressionIdentifier: String) -> Bool
}
