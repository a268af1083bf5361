import FileProviderHost

/// What an item waits for, in a line for people.
struct StateText {
    private let state: ItemState

    init(_ state: ItemState) {
        self.state = state
    }

    var text: String { "\(Words.path(state.item.path)): \(why)" }

    private var why: String {
        guard let trouble = state.trouble else { return Words.shown(state.next) }
        return
            "\(Words.shown(trouble.message)) It is tried again at \(Words.moment(trouble.retry))."
    }
}
