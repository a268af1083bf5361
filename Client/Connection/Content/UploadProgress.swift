import Synchronization

/// How far an upload has come, told as bytes of the content. Reading a large file takes its time before anything is
/// sent, and the server reads all of it once more when everything has come: each is a part of the way, so that it is
/// seen to move. Where it has to be sent once more, it goes on with a part of the way that is left.
final class UploadProgress: Sendable {
    /// The share of each of the two readings.
    private static let reading = 1.0 / 16

    /// What was done of each step of one sending.
    private struct Sending {
        /// How much of the way had been gone when it began, and how much of it is its own.
        var start = 0.0
        var length = 1.0
        /// What the server has of the content.
        var there: Int64 = 0
        /// What has gone of each part that is under way, by where it begins.
        var moving: [Int64: Int64] = [:]
        /// How often somebody looked whether the server has read it.
        var waited = 0
    }

    private struct Done {
        var read: Int64 = 0
        var sending: Sending?
        /// Of the whole way.
        var gone = 0.0
    }

    private let size: Int64
    private let tell: @Sendable (Int64) -> Void
    private let done = Mutex(Done())

    init(size: Int64, _ tell: @escaping @Sendable (Int64) -> Void) {
        self.size = size
        self.tell = tell
    }

    /// So much of the file was read.
    func read(_ bytes: Int64) {
        move { $0.read = bytes }
    }

    /// What the server has of it is to be found out, and the rest sent.
    func begin() {
        move { done in
            var sending = Sending()
            if done.sending != nil {
                sending.start = done.gone
                sending.length = (1 - done.gone) / 2
            }
            done.read = size
            done.sending = sending
        }
    }

    /// So much of it need not be sent.
    func there(_ bytes: Int64) {
        move { $0.sending?.there = bytes }
    }

    /// So much has gone of the part that begins there.
    func moving(_ bytes: Int64, of part: Int64) {
        move { $0.sending?.moving[part] = bytes }
    }

    /// All of that part is there.
    func arrived(_ bytes: Int64, of part: Int64) {
        move { done in
            done.sending?.moving[part] = nil
            done.sending?.there += bytes
        }
    }

    /// It waits for a place, or the server is reading what has come, and nobody can tell how far that is: some of what is
    /// left has been gone each time, and there is always some left.
    func waited() {
        move { $0.sending?.waited += 1 }
    }

    /// Several parts travel at a time, and one that broke begins anew: what is told never goes back.
    private func move(_ change: (inout Done) -> Void) {
        done.withLock { done in
            change(&done)
            let gone = way(done)
            guard gone > done.gone else { return }
            done.gone = gone
            tell(Int64(gone * Double(size)))
        }
    }

    private func way(_ done: Done) -> Double {
        let size = Double(max(1, size))
        let read = Double(done.read) / size * Self.reading
        guard let sending = done.sending else { return read }
        let there = sending.there + sending.moving.values.reduce(0, +)
        let sent = min(1, Double(there) / size) * (1 - 2 * Self.reading)
        let stored = Double(sending.waited) / Double(sending.waited + 8) * Self.reading
        return sending.start + sending.length * (read + sent + stored)
    }
}
