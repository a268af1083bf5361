import Synchronization

/// What people have written, and which of it must still be somewhere.
final class Books: Sendable {
    let metadata = MetadataBook()
    let removals = RemovalBook()

    private struct State {
        /// Each text that somebody has written, and whether it must still be there.
        var texts: [String: Bool] = [:]
        /// What whoever wrote a text had seen there before.
        var seen: [String: Set<String>] = [:]
        /// What they may have seen, or else never knew of: who has had a file open for long goes on in that one, which
        /// other programs of the device have written to, or to the one that has come in its place.
        var perhapsSeen: [String: Set<String>] = [:]
        var damaged: [String] = []
        var isOffered = false
        var restored: Set<String> = []
        /// Texts that were kept, as they are or written over since, beside what followed them.
        var kept: [String: Set<String>] = [:]
        /// What items that are gone had in them.
        var gone: Set<String> = []
        /// What was in files that a device had asked the provider to make, when it died without an answer.
        var unanswered: Set<String> = []

        /// Whether a text may have come back to the item that it was kept beside; or its item went to where it stays
        /// on one device, and another one, which made it and never heard that it was there, makes it again.
        func mayBeTwice(_ text: String) -> Bool {
            if gone.contains(text) { return true }
            guard let next = kept[text] else { return false }
            return restored.contains(text) || !next.isDisjoint(with: damaged)
        }

        /// - Parameter isCertain: whether only that counts which they have seen without doubt; and what was written over
        ///   nothing counts as written by who had seen nothing, as there are many empty files.
        func hasSeen(
            _ other: String, whoWrote text: String, isCertain: Bool = false
        ) -> Bool {
            var known: Set<String> = []
            var open = [text]
            while let next = open.popLast() {
                if next == other { return true }
                if isCertain, next.isEmpty { continue }
                guard known.insert(next).inserted else { continue }
                open += seen[next] ?? []
                if !isCertain { open += perhapsSeen[next] ?? [] }
                open.append(Books.line(of: next))
            }
            return false
        }
    }

    private let state = Mutex(State())

    /// Somebody who saw that, and perhaps others, wrote something in their place.
    func wrote(_ text: String, over before: String? = nil, perhapsOver others: [String] = []) {
        metadata.noteWritten(text)
        state.withLock { state in
            state.texts[text] = true
            before.map { _ = state.seen[text, default: []].insert($0) }
            state.perhapsSeen[text, default: []].formUnion(others)
            for former in others + (before.map { [$0] } ?? []) {
                state.texts[former]? = false
                // What is kept of a save is that with whatever is written to it, and what was saved likewise.
                state.kept[former].map { state.kept[text, default: []].formUnion($0) }
                for (kept, next) in state.kept where next.contains(former) {
                    state.kept[kept]?.insert(text)
                }
            }
        }
    }

    /// What somebody wrote is the next version of another text, which was kept under another name before.
    func wrote(_ text: String, asNextOf before: String) {
        metadata.noteWritten(text)
        state.withLock { state in
            state.seen[text, default: []].insert(before)
            state.kept[before, default: []].insert(text)
        }
    }

    /// Whether somebody keeps it beside what followed it.
    func isKept(_ text: String) -> Bool {
        state.withLock { $0.kept[text] != nil }
    }

    /// Somebody's files are offered to the provider once more, by their names alone.
    func noteOffer() {
        state.withLock { $0.isOffered = true }
    }

    var hasOffers: Bool { state.withLock { $0.isOffered } }

    /// Whether somebody has replaced it or taken it away.
    func isNoMatter(_ text: String) -> Bool {
        text.isEmpty || state.withLock { $0.texts[text] != true }
    }

    /// Of a long text that is cut off, a second line says where.
    private static func line(of text: String) -> String {
        String(text.prefix { $0 != "\n" })
    }

    /// What nobody has replaced or removed, and nobody had a reason to make twice. What is offered once more after
    /// others have given it another name there, nobody recognises.
    var mustBeThereOnce: Set<String> {
        state.withLock { state in
            if state.isOffered { return [] }
            return Set(state.texts.filter(\.value).map(\.key)).subtracting([""])
                .filter { !state.mayBeTwice($0) }
        }
    }

    /// Somebody who saw it took it away. What is kept of a save beside it may get its item back, and comes after it
    /// then, though it was written before.
    func removed(_ text: String) {
        state.withLock { state in
            state.texts[text]? = false
            for (before, next) in state.kept where next.contains(text) {
                state.restored.insert(before)
            }
        }
    }

    func noteGone(_ text: String) {
        state.withLock { _ = $0.gone.insert(text) }
    }

    func noteUnanswered(_ text: String) {
        state.withLock { _ = $0.unanswered.insert(text) }
    }

    /// Whether a device asks for a file with that to be made that it may have had made before, and knows no more of what
    /// it had sent for it.
    func isAskedForAgain(_ text: String) -> Bool {
        state.withLock { state in
            state.unanswered.contains { state.hasSeen($0, whoWrote: text) }
        }
    }

    /// Whether anybody has ever written that. What a program has just begun to write over is empty; of what was
    /// not durable when the power was cut, the end is gone.
    func isKnown(_ text: String) -> Bool {
        let line = Self.line(of: text)
        return text.isEmpty
            || state.withLock { state in
                state.texts[text] != nil || state.damaged.contains { $0.hasPrefix(line) }
                    // What has come from elsewhere is one's own once it is offered.
                    || state.isOffered && state.texts.keys.contains { $0.hasPrefix(line) }
                    || "text ".hasPrefix(text)
            }
    }

    /// Somebody had an earlier text come back, in place of whatever was there by then.
    func restored(_ text: String) {
        state.withLock { _ = $0.restored.insert(text) }
    }

    func isRestored(_ text: String) -> Bool {
        state.withLock { $0.restored.contains(text) }
    }

    /// It had not been made durable when the power was cut.
    func mayBeLost(_ text: String) {
        state.withLock { state in
            state.texts[text] = false
            state.damaged.append(text)
        }
    }

    /// Nobody who had seen it has replaced or removed it.
    var mustBeThere: [String] {
        state.withLock { $0.texts.filter { $0.value && !$0.key.isEmpty }.map(\.key) }
    }

    /// Whether whoever wrote a text knew the other one. Of what nobody has written as a whole, nobody knows.
    func knew(_ text: String, of other: String) -> Bool {
        state.withLock { state in
            guard !text.isEmpty, !other.isEmpty, state.texts[text] != nil,
                state.texts[other] != nil,
                !state.restored.contains(text)
            else { return true }
            return state.hasSeen(other, whoWrote: text)
        }
    }

    /// Whether whoever wrote a text knew the other one for certain.
    func hasSeen(_ other: String, whoWrote text: String) -> Bool {
        state.withLock { state in
            guard !text.isEmpty, !other.isEmpty, state.texts[text] != nil,
                state.texts[other] != nil
            else { return false }
            return state.hasSeen(other, whoWrote: text, isCertain: true)
        }
    }
}
