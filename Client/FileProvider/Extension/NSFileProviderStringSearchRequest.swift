import Foundation

/// What a person searches for.
public final class NSFileProviderStringSearchRequest: NSObject, Sendable {
    public let query: String
    /// How many results are wanted; a hint.
    public let desiredNumberOfResults: Int

    package init(query: String, desiredNumberOfResults: Int) {
        self.query = query
        self.desiredNumberOfResults = desiredNumberOfResults
    }
}
