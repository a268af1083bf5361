import FileProviderReplica
import Synchronization

/// What people have said of items besides their names and contents. What one of them said last, and nobody else
/// touched, must be there at the end.
final class MetadataBook: Sendable {
    struct Key: Hashable, Comparable {
        let item: String
        let field: String

        static func < (left: Key, right: Key) -> Bool {
            (left.item, left.field) < (right.item, right.field)
        }
    }

    private struct Note {
        var devices: Set<String> = []
        /// Nil for what nobody can tell.
        var value: String?
        /// After how many other words it was said.
        var order = 0
        /// What the device had said when it died, which may be on its way still, and come last.
        var onTheWay: Set<String> = []
    }

    private let notes = Mutex<[Key: Note]>([:])
    private let doubtful = Mutex<Set<String>>([])
    /// What was said of something that had no identifier yet: by device and node, which fields.
    private let unnamed = Mutex<[String: [NodeID: [String: String?]]]>([:])
    /// The same of what was removed before anybody had said which item that is.
    private let lost = Mutex<[LostWord]>([])
    /// After how many words a text was written.
    private let written = Mutex<(count: Int, orders: [String: Int])>((0, [:]))
    /// Of what item a text was to be the content when it was written.
    private let places = Mutex<[String: String]>([:])
    /// After how many words a power cut may have taken a text.
    private let cuts = Mutex<[String: Int]>([:])

    private struct LostWord {
        let device: String
        let field: String
        /// Nil for what nobody can tell.
        let value: String?

        /// Whether it may be what is there, in place of what a device said.
        func explains(_ present: String, of field: String, saidBy devices: Set<String>) -> Bool {
            self.field == field
                && (value.map { isSame($0, present) } ?? devices.contains(device))
        }

        /// A date that has travelled is counted in parts of a second that are no nanoseconds.
        private func isSame(_ one: String, _ other: String) -> Bool {
            guard field == "modified", let one = Int64(one), let other = Int64(other) else {
                return one == other
            }
            return abs(one - other) <= 1
        }
    }

    /// - Parameters:
    ///   - item: by the provider's name.
    ///   - value: nil for what nobody can tell.
    func set(_ field: String, of item: String, to value: String?, on device: String) {
        notes.withLock { notes in
            let key = Key(item: item, field: field)
            notes[key, default: Note()].devices.insert(device)
            notes[key]?.order = written.withLock { written in
                written.count += 1
                return written.count
            }
            // Of what nobody can tell, nobody knows either whether it was before.
            if value != nil || device != "somebody" { notes[key]?.value = value }
        }
    }

    /// A device has died that had said something of an item, and had heard no answer.
    func noteUnheard(of item: String, on device: String) {
        notes.withLock { notes in
            for (key, note) in notes where key.item == item && note.devices == [device] {
                if let value = note.value { notes[key]?.onTheWay.insert(value) }
            }
        }
    }

    /// A text brings the date at which it was written to whatever item it ends up in.
    func noteWritten(_ text: String) {
        written.withLock { $0.orders[text] = $0.count }
    }

    /// A text that is being written is to be the content of an item.
    func noteWriting(_ text: String, to item: String) {
        places.withLock { $0[text] = item }
    }

    /// A power cut may have taken it: where its item has an older one again, it has that one's date, too.
    func noteLost(_ text: String) {
        let count = written.withLock { $0.count }
        cuts.withLock { $0[text] = count }
    }

    /// The same of what has no identifier yet.
    func set(_ field: String, of node: NodeID, to value: String?, on device: String) {
        unnamed.withLock {
            _ = $0[device, default: [:]][node, default: [:]].updateValue(value, forKey: field)
        }
    }

    /// What has come to have an identifier since then may have been given something else by others.
    func resolve(_ device: String, _ identifier: (NodeID) throws -> String?) rethrows {
        for (node, fields) in unnamed.withLock({ $0[device] ?? [:] }) {
            guard let item = try identifier(node) else { continue }
            for field in fields.keys { set(field, of: item, to: nil, on: "somebody") }
            unnamed.withLock { $0[device]?[node] = nil }
        }
    }

    /// It may be an item that the device knows as something else as well, or that others have gone on with.
    /// - Parameter present: what the device has it bear at last, as far as somebody can tell.
    func lose(_ node: NodeID, on device: String, present: [String: String]) {
        let words = unnamed.withLock { $0[device]?[node] } ?? [:]
        lost.withLock { lost in
            lost += words.map { field, value in
                LostWord(device: device, field: field, value: value ?? present[field])
            }
        }
    }

    /// Somebody took it away, or chose between contents that each have a date of their own: what it comes back with
    /// is what the provider has.
    func doubt(item: String) {
        doubtful.withLock { _ = $0.insert(item) }
    }

    /// What must be there, where the item is, in place of what is.
    /// - Parameters:
    ///   - text: what is in the item.
    ///   - present: by the provider's name of the item and by field; nil where the item is not.
    func missing(
        text: (String) -> String?, present: (Key) -> String?
    ) -> [(key: Key, value: String, present: String)] {
        let doubtful = doubtful.withLock { $0 }
        let lost = lost.withLock { $0 }
        let written = written.withLock { $0.orders }
        let places = places.withLock { $0 }
        let cuts = cuts.withLock { $0 }
        /// Whether an item has to bear a date that was said of it, with that text in it: what was written before, and is
        /// sent after it to another item than it was written to, brings the date at which it was written.
        func isDated(_ text: String?, after order: Int, in item: String) -> Bool {
            guard let text else { return true }
            let isTakenBack = cuts.contains { later, cut in
                places[later] == item && cut >= order && written[later] ?? 0 > written[text] ?? 0
            }
            return written[text] ?? 0 < order && places[text] ?? item == item && !isTakenBack
        }
        return notes.withLock { notes in
            notes.compactMap { key, note in
                guard !doubtful.contains(key.item), note.devices.count == 1, let value = note.value,
                    let present = present(key), present != value,
                    !note.onTheWay.contains(present),
                    key.field != "modified"
                        || isDated(text(key.item), after: note.order, in: key.item),
                    !lost.contains(where: {
                        $0.explains(present, of: key.field, saidBy: note.devices)
                    })
                else { return nil }
                return (key, value, present)
            }.sorted { $0.key < $1.key }
        }
    }
}
