/// When the content of a file is downloaded, and when it may go again. What is said for a folder holds for
/// all below it that say `inherited`.
public enum NSFileProviderContentPolicy: Int, Sendable {
    /// As the parent's.
    case inherited = 0
    /// When somebody reads it; kept up to date afterwards, until it is evicted.
    case downloadLazily = 1
    /// When somebody reads it; evicted when the provider has a newer version.
    case downloadLazilyAndEvictOnRemoteUpdate = 2
    /// Before anybody reads it, and never evicted.
    case downloadEagerlyAndKeepDownloaded = 3
}
