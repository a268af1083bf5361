import FileProviderReplica

/// Notices programs that read the small files of a folder one after another, and says how many more are worth
/// having here before they are asked for.
struct FolderReads: Sendable {
    /// What a program has read of a folder lately.
    private struct Trail {
        let program: Program
        let folder: NodeID
        var last: NodeID
        var time: Duration
        /// How many it has read in a row.
        var count = 1
        /// How many it will have read when more are looked for.
        var next = FolderReads.leastInRow
    }

    /// So many different files, one after another, are no accident.
    private static let leastInRow = 3
    /// Who has paused for so long has stopped.
    private static let longestPause = Duration.seconds(5)
    /// So many programs and folders are remembered.
    private static let mostTrails = 16

    private let most: Int
    private var trails: [Trail] = []

    /// - Parameter most: so many files are fetched ahead.
    init(most: Int) {
        self.most = most
    }

    /// - Returns: how many of the files that follow this one are to be here soon; zero for none.
    mutating func note(
        _ file: NodeID, in folder: NodeID, by program: Program, at now: Duration
    ) -> Int {
        trails.removeAll { now - $0.time > Self.longestPause }
        let known = trails.firstIndex { $0.folder == folder && $0.program == program }
        guard let known else {
            if trails.count == Self.mostTrails { trails.removeFirst() }
            trails.append(Trail(program: program, folder: folder, last: file, time: now))
            return 0
        }
        // The one that was used last stands last.
        var trail = trails.remove(at: known)
        defer { trails.append(trail) }
        trail.time = now
        guard trail.last != file else { return 0 }
        trail.last = file
        trail.count += 1
        guard trail.count >= trail.next else { return 0 }
        // The longer it goes on, the more; and again when half of them have been read.
        let ahead = min(most, trail.count * 4)
        trail.next = trail.count + max(1, ahead / 2)
        return ahead
    }
}
