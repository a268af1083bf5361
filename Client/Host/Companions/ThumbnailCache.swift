import FileProvider
import Foundation
import Synchronization

/// Pictures that were shown lately, each for the content that it is of.
final class ThumbnailCache: Sendable {
    struct Key: Hashable, Sendable {
        let item: NSFileProviderItemIdentifier
        let version: Data
        let width: Double
        let height: Double
    }

    private struct Picture {
        /// Nil where there is none.
        let data: Data?
        let since: Duration
    }

    private struct State {
        var pictures: [Key: Picture] = [:]
        /// The oldest first.
        var order: [Key] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    private static let mostBytes = 16 << 20
    private static let mostPictures = 4096
    /// Somebody may make one meanwhile, and nobody tells of that.
    private static let patience = Duration.seconds(30)

    /// - Returns: nil when it is not known, and nil within when there is none.
    func picture(_ key: Key, at now: Duration) -> Data?? {
        guard let picture = state.withLock({ $0.pictures[key] }),
            picture.data != nil || now - picture.since < Self.patience
        else { return nil }
        return .some(picture.data)
    }

    func keep(_ picture: Data?, for key: Key, at now: Duration) {
        let length = picture?.count ?? 0
        guard length <= Self.mostBytes / 4 else { return }
        state.withLock { state in
            let before = state.pictures.updateValue(
                Picture(data: picture, since: now), forKey: key)
            state.bytes += length - (before?.data?.count ?? 0)
            if before == nil { state.order.append(key) }
            let excess = state.order.count - Self.mostPictures
            guard excess > 0 || state.bytes > Self.mostBytes else { return }
            // Half of them at once: not each new one shifts all the others.
            for old in state.order.prefix(max(excess, state.order.count / 2)) {
                let gone = state.pictures.removeValue(forKey: old)
                state.bytes -= gone?.data?.count ?? 0
            }
            state.order.removeFirst(max(excess, state.order.count / 2))
        }
    }
}
