import Synchronization

/// How far an upload has come, told as bytes of the content. Reading a large file takes its time before anything is
/// sent, and the server reads all of it once more when everything has come: each is a part of the way, so that it is
/// seen to move.
package final class UploadProgress: Sendable {
    /// Each of the two readings is this part of the way.
    private static let share: Int64 = 16

    /// What was done of each step.
    private struct Done {
        var read: Int64 = 0
        /// What the server has of the content.
        var there: Int64 = 0
        /// What has gone of each part that is under way, by where it begins.
        var moving: [Int64: Int64] = [:]
        /// How often somebody looked whether the server has read it.
        var waited: Int64 = 0
        var told: Int64 = 0
    }

    private let size: Int64
    private let tell: @Sendable (Int64) -> Void
    private let done = Mutex(Done())

    init(size: Int64, _ tell: @escaping @Sendable (Int64) -> Void) {
        self.size = size
        self.tell = tell
    }

    /// How much of the way it is to have read so many bytes of a file.
    package static func reading(_ bytes: Int64) -> Int64 { bytes / share }

    func read(_ bytes: Int64) {
        move { $0.read = bytes }
    }

    /// So much of it need not be sent, or was.
    func there(_ bytes: Int64) {
        move { done in
            done.read = size
            done.there = bytes
        }
    }

    /// So much has gone of the part that begins there.
    func moving(_ bytes: Int64, of part: Int64) {
        move { $0.moving[part] = bytes }
    }

    /// All of that part is there.
    func arrived(_ bytes: Int64, of part: Int64) {
        move { done in
            done.moving[part] = nil
            done.there += bytes
        }
    }

    /// The server is reading what has come, and nobody can tell how far it is: some of what is left of the way has
    /// been gone each time, and there is always some left.
    func waited() {
        move { $0.waited += 1 }
    }

    /// Several parts travel at a time, and one that broke begins anew: what is told never goes back.
    private func move(_ change: (inout Done) -> Void) {
        done.withLock { done in
            change(&done)
            let sent = min(size, done.there + done.moving.values.reduce(0, +))
            let reading = Double(Self.reading(size))
            let stored = reading * Double(done.waited) / Double(done.waited + 8)
            let way =
                Self.reading(done.read) + Int64(stored)
                + Int64(Double(sent) * (1 - 2 / Double(Self.share)))
            guard way > done.told else { return }
            done.told = way
            tell(way)
        }
    }
}
