import Foundation
import Synchronization

/// What people have taken away, so that nothing else is ever taken for it.
final class RemovalBook: Sendable {
    private struct State {
        var items: Set<String> = []
        /// Folders that were to stay on a device: so does what comes into them there, which may not be there any more when
        /// somebody looks.
        var stayed: Set<String> = []
        /// Of what had no identifier yet, and may be spelt otherwise by those who saw it.
        var names: Set<String> = []
        /// What nodes without an identifier were called before: the provider may be asked to make them so.
        var former: [String: [String]] = [:]
        /// So many were removed while nobody had said whether they had been made, and others may have renamed them.
        var unheard = 0
    }

    private let state = Mutex(State())

    /// - Parameter node: where it has no identifier yet.
    func noteFormer(_ name: String, of node: String) {
        state.withLock { $0.former[node, default: []].append(Self.folded(name)) }
    }

    func noteRemoval(of node: String, isUnheard: Bool) {
        state.withLock { state in
            state.names.formUnion(state.former[node] ?? [])
            if isUnheard { state.unheard += 1 }
        }
    }

    func note(_ item: String?, named name: String) {
        state.withLock { state in
            if let item {
                _ = state.items.insert(item)
            } else {
                _ = state.names.insert(Self.folded(name))
            }
        }
    }

    func noteStay(of folder: String) {
        state.withLock { _ = $0.stayed.insert(folder) }
    }

    func explains(_ gone: GoneItem) -> Bool {
        state.withLock { state in
            if state.items.contains(gone.identifier) { return true }
            if state.stayed.contains(gone.parent) {
                state.stayed.insert(gone.identifier)
                return true
            }
            let name = Self.folded(gone.name)
            if state.names.contains(name) { return true }
            let stem = Self.withoutNumber(name)
            if stem != name,
                state.names.contains(where: { $0 == stem || Self.withoutNumber($0) == stem })
            {
                return true
            }
            guard state.unheard > 0 else { return false }
            state.unheard -= 1
            state.items.insert(gone.identifier)
            return true
        }
    }

    /// As the strictest of providers compares names.
    private static func folded(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Where a name was taken, somebody has put a number into it, before what says its kind.
    private static func withoutNumber(_ name: String) -> String {
        name.replacing(#/ [0-9]+(?=$|\.[^. ]*$)/#, with: "")
    }
}
