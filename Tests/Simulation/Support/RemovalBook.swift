import Synchronization

/// What people have taken away, so that nothing else is ever taken for it.
final class RemovalBook: Sendable {
    private struct State {
        var items: Set<String> = []
        /// Of what had no identifier yet, and may be spelt otherwise by those who saw it.
        var names: Set<String> = []
        /// What nodes without an identifier were called before: the provider may be asked to make them so.
        var former: [String: [String]] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter node: where it has no identifier yet.
    func noteFormer(_ name: String, of node: String) {
        state.withLock { $0.former[node, default: []].append(name.lowercased()) }
    }

    func noteRemoval(of node: String) {
        state.withLock { $0.names.formUnion($0.former[node] ?? []) }
    }

    func note(_ item: String?, named name: String) {
        state.withLock { state in
            if let item {
                _ = state.items.insert(item)
            } else {
                _ = state.names.insert(name.lowercased())
            }
        }
    }

    func explains(_ gone: GoneItem) -> Bool {
        let name = gone.name.lowercased()
        return state.withLock { state in
            // Where a name was taken, the provider has put a number into it.
            state.items.contains(gone.identifier)
                || state.names.contains { name.hasPrefix($0.prefix { $0 != "." }) }
        }
    }
}
