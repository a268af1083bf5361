import Foundation

/// An extension whose server can search. Asked for domains with `supportsStringSearchRequest`.
public protocol NSFileProviderSearching: NSObjectProtocol {
    func searchEnumerator(
        for request: NSFileProviderStringSearchRequest
    ) -> any NSFileProviderSearchEnumerator
}
