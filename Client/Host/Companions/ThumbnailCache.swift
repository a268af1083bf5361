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

    private struct State {
        var pictures: [Key: Data?] = [:]
        /// The oldest first.
        var order: [Key] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    private static let mostBytes = 16 << 20
    private static let mostPictures = 4096

    /// - Returns: nil when it is not known, and nil within when there is none.
    func picture(_ key: Key) -> Data?? {
        state.withLock { $0.pictures[key] }
    }

    func keep(_ picture: Data?, for key: Key) {
        let length = picture?.count ?? 0
        guard length <= Self.mostBytes / 4 else { return }
        state.withLock { state in
            guard state.pictures.updateValue(picture, forKey: key) == nil else { return }
            state.order.append(key)
            state.bytes += length
            let excess = state.order.count - Self.mostPictures
            guard excess > 0 || state.bytes > Self.mostBytes else { return }
            // Half of them at once: not each new one shifts all the others.
            for old in state.order.prefix(max(excess, state.order.count / 2)) {
                let gone = state.pictures.removeValue(forKey: old)
                state.bytes -= gone.flatMap(\.self)?.count ?? 0
            }
            state.order.removeFirst(max(excess, state.order.count / 2))
        }
    }
}
