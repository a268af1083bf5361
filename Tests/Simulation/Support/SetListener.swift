import FileProvider
import Foundation
import Synchronization

/// Hears what a set of the system's holds, as an extension does.
final class SetListener: NSObject, NSFileProviderEnumerationObserver, NSFileProviderChangeObserver {
    private struct Heard {
        var items: [any NSFileProviderItemProtocol] = []
        var gone: [NSFileProviderItemIdentifier] = []
        var page: NSFileProviderPage?
        var anchor: NSFileProviderSyncAnchor?
        var isMoreComing = false
        var error: (any Error)?
    }

    private struct State: @unchecked Sendable {
        var heard = Heard()
    }

    private let state = Mutex(State())
    private let size: Int

    init(_ size: Int) {
        self.size = size
    }

    var suggestedPageSize: Int { size }
    var suggestedBatchSize: Int { size }

    func didEnumerate(_ updatedItems: [any NSFileProviderItemProtocol]) { add(updatedItems) }
    func didUpdate(_ updatedItems: [any NSFileProviderItemProtocol]) { add(updatedItems) }

    private func add(_ items: [any NSFileProviderItemProtocol]) {
        let heard = State(heard: Heard(items: items))
        state.withLock { $0.heard.items += heard.heard.items }
    }

    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier]) {
        state.withLock { $0.heard.gone += deletedItemIdentifiers }
    }

    func finishEnumerating(upTo nextPage: NSFileProviderPage?) {
        state.withLock { $0.heard.page = nextPage }
    }

    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool) {
        state.withLock { state in
            state.heard.anchor = anchor
            state.heard.isMoreComing = moreComing
        }
    }

    func finishEnumeratingWithError(_ error: any Error) {
        let heard = State(heard: Heard(error: error))
        state.withLock { $0.heard.error = heard.heard.error }
    }

    private func heard() throws -> Heard {
        let heard = state.withLock { $0 }.heard
        if let error = heard.error { throw error }
        return heard
    }

    // MARK: Asking

    /// All that is in a set, by pages of so many.
    static func items(
        of set: any NSFileProviderEnumerator, by size: Int = 100,
        from first: NSFileProviderPage = NSFileProviderPage(Data())
    ) throws -> [any NSFileProviderItemProtocol] {
        var items: [any NSFileProviderItemProtocol] = []
        var page: NSFileProviderPage? = first
        while let present = page {
            let listener = SetListener(size)
            set.enumerateItems(for: listener, startingAt: present)
            let heard = try listener.heard()
            items += heard.items
            page = heard.page
        }
        return items
    }

    static func names(
        of set: any NSFileProviderEnumerator, by size: Int = 100,
        from first: NSFileProviderPage = NSFileProviderPage(Data())
    ) throws -> [String] {
        try items(of: set, by: size, from: first).map(\.filename)
    }

    /// What has changed in a set since an anchor, which is moved on.
    static func changes(
        of set: any NSFileProviderEnumerator, from anchor: inout NSFileProviderSyncAnchor,
        by size: Int = 100
    ) throws -> (new: [String], gone: Int) {
        var changes: (new: [String], gone: Int) = ([], 0)
        var isMoreComing = true
        while isMoreComing {
            let listener = SetListener(size)
            set.enumerateChanges(for: listener, from: anchor)
            let heard = try listener.heard()
            changes.new += heard.items.map(\.filename)
            changes.gone += heard.gone.count
            anchor = heard.anchor ?? anchor
            isMoreComing = heard.isMoreComing
        }
        return changes
    }
}
