import FileProviderReplica
import Synchronization

/// Which listings of folders the kernel may go on using: those of folders in which nothing has changed since it began to
/// keep what it was told. Whoever had opened a folder before a change may still be listing what was in it then, and what
/// they are told is kept, too: as long as they have it open, nobody is shown what is kept.
final class KeptListings: Sendable {
    private struct Listing {
        /// How often something has changed in the folder.
        var version: UInt64 = 0
        /// The one at which what the kernel keeps was begun; nil while it may be older.
        var kept: UInt64?
        /// By whom it is open, and since which version.
        var open: [UInt64: UInt64] = [:]

        var hasOldReaders: Bool { open.values.contains { $0 < version } }
    }

    private struct State {
        var listings: [NodeID: Listing] = [:]
        /// Which folder somebody has open.
        var folders: [UInt64: NodeID] = [:]
    }

    private let state = Mutex(State())

    /// Somebody opens a folder.
    /// - Returns: whether what the kernel has of it holds.
    func open(_ folder: NodeID, as handle: UInt64) -> Bool {
        state.withLock { state in
            var listing = state.listings[folder] ?? Listing()
            let holds = listing.kept == listing.version
            if !holds { listing.kept = listing.hasOldReaders ? nil : listing.version }
            listing.open[handle] = listing.version
            state.listings[folder] = listing
            state.folders[handle] = folder
            return holds
        }
    }

    /// Somebody has a folder open, perhaps since before this process.
    func note(_ handle: UInt64, in folder: NodeID) {
        state.withLock { state in
            guard state.folders[handle] == nil else { return }
            var listing = state.listings[folder] ?? Listing()
            listing.open[handle] = listing.version
            state.listings[folder] = listing
            state.folders[handle] = folder
        }
    }

    func close(_ handle: UInt64) {
        state.withLock { state in
            guard let folder = state.folders.removeValue(forKey: handle) else { return }
            state.listings[folder]?.open[handle] = nil
        }
    }

    func isOpen(_ folder: NodeID) -> Bool {
        state.withLock { $0.listings[folder]?.open.isEmpty == false }
    }

    /// Something in a folder is not as it was.
    /// - Returns: whether somebody has it open, and may begin to list it once more.
    func noteChange(in folder: NodeID) -> Bool {
        state.withLock { state in
            guard var listing = state.listings[folder] else { return false }
            listing.version += 1
            state.listings[folder] = listing
            return !listing.open.isEmpty
        }
    }

    /// The kernel knows nothing of a folder any more.
    func forget(_ folder: NodeID) {
        state.withLock { state in
            if state.listings[folder]?.open.isEmpty == true { state.listings[folder] = nil }
        }
    }
}
