import Foundation

/// Hears of the items of a page. The system implements it, and may be called from any thread.
public protocol NSFileProviderEnumerationObserver: NSObjectProtocol, Sendable {
    /// Some items of the page; called as often as there is something to tell.
    func didEnumerate(_ updatedItems: [any NSFileProviderItemProtocol])
    /// The page is complete. Nil: and so is the enumeration.
    func finishEnumerating(upTo nextPage: NSFileProviderPage?)
    func finishEnumeratingWithError(_ error: any Error)
    /// How many items a page should have. More than a hundred times as many are refused.
    @_disfavoredOverload var suggestedPageSize: Int { get }
}

extension NSFileProviderEnumerationObserver {
    /// What the system takes when it wants nothing in particular.
    @_disfavoredOverload public var suggestedPageSize: Int { 200 }
}

/// Reading through the protocol gives an `Optional`, as on Apple's systems; there is always a value here.
extension NSObjectProtocol where Self: NSFileProviderEnumerationObserver {
    public var suggestedPageSize: Int? {
        let size: Int = self.suggestedPageSize
        return size
    }
}
