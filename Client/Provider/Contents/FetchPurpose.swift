import FileProvider

/// What a content is fetched for.
struct FetchPurpose: Sendable {
    /// Somebody waits for it.
    let isAwaited: Bool
    /// It may travel with others, where it is small.
    let isTogether: Bool

    /// Servers send nothing longer together with others: to ask for that would be a round trip for nothing.
    private static let longestTogether: Int64 = 64 << 10

    init(_ request: NSFileProviderRequest) {
        isAwaited = !request.isSystemRequest
        isTogether =
            request.isSystemRequest && (request.contentLength ?? 0) <= Self.longestTogether
    }
}
