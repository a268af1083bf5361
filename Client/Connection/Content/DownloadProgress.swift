import Synchronization

/// How far a download has come, told as bytes of the content. Reading a large file takes its time, before anything is
/// fetched and after all has come: each is a part of the way, so that it is seen to move.
final class DownloadProgress: Sendable {
    /// Each of the two readings is this part of the way.
    private static let reading = 1.0 / 16

    /// What was done of each step.
    private struct Done {
        /// The part of the older file that was read.
        var read: Double
        /// How many bytes of the content are there, and how many of these were looked at.
        var brought: Int64 = 0
        var verified: Int64 = 0
    }

    private let size: Int64
    private let tell: @Sendable (Int64) -> Void
    private let done: Mutex<Done>

    /// - Parameter readsOlder: whether there is an older file to read.
    init(size: Int64, readsOlder: Bool, _ tell: @escaping @Sendable (Int64) -> Void) {
        self.size = size
        self.tell = tell
        done = Mutex(Done(read: readsOlder ? 0 : 1))
    }

    /// So much of the older file was read.
    func read(_ bytes: Int64, of length: Int64) {
        move { $0.read = Double(bytes) / Double(length) }
    }

    /// More of the content is in its file.
    func brought(_ bytes: Int64) {
        move { $0.brought += bytes }
    }

    /// So much of the file was found to be as it should be.
    func verified(_ bytes: Int64) {
        move { $0.verified = bytes }
    }

    /// Several parts of a content come at a time: what is told never goes back.
    private func move(_ change: (inout Done) -> Void) {
        done.withLock { done in
            change(&done)
            let reading = (done.read * Double(size) + Double(done.verified)) * Self.reading
            tell(Int64(reading + Double(done.brought) * (1 - 2 * Self.reading)))
        }
    }
}
