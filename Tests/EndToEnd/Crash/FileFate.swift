import BasketContent

/// Where a file may be after a crash, as its writer knows it.
struct FileFate: Sendable {
    /// One state of the file; without a name it is not there.
    struct State: Sendable, Equatable {
        var name: String?
        var hash: ContentHash?
    }

    /// One of these is true: one alone while every request was answered, two after one that was not.
    var states: [State]
    /// The request that had no answer, to be sent again.
    var unanswered: CrashWriter.Request?

    /// The state that the tree shows, by the names in it; nil when it is none that may be.
    func state(in tree: [String: String]) -> State? {
        let names = Set(states.compactMap(\.name))
        let visible = names.filter { tree[$0] != nil }
        return states.first { state in
            guard let name = state.name else { return visible.isEmpty }
            return visible == [name] && tree[name] == state.hash?.hex
        }
    }
}
