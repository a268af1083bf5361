import Synchronization

/// What people have written, and which of it must still be somewhere.
final class Books: Sendable {
    private let texts = Mutex<[String: Bool]>([:])
    private let damaged = Mutex<[String]>([])

    /// Somebody who saw `before` wrote something in its place.
    func wrote(_ text: String, over before: String?) {
        texts.withLock { texts in
            texts[text] = true
            if let before { texts[before] = false }
        }
    }

    /// Somebody who saw it took it away.
    func removed(_ text: String) {
        texts.withLock { $0[text] = false }
    }

    /// Whether anybody has ever written that. What a program has just begun to write over is empty; of what was
    /// not durable when the power was cut, the end is gone.
    func isKnown(_ text: String) -> Bool {
        text.isEmpty || texts.withLock { $0[text] != nil }
            || damaged.withLock { $0.contains { $0.hasPrefix(text) } }
    }

    /// It had not been made durable when the power was cut.
    func mayBeLost(_ text: String) {
        removed(text)
        damaged.withLock { $0.append(text) }
    }

    /// Nobody who had seen it has replaced or removed it.
    var mustBeThere: [String] {
        texts.withLock { $0.filter(\.value).map(\.key) }
    }
}
