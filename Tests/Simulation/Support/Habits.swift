/// What people do and what may go wrong, as scenarios are played. A seed means something only together with
/// these: those that have found something stay with what they were found with.
enum Habits: String, Sendable, CaseIterable, Comparable {
    /// Files and folders, networks that lose things, and devices that die.
    case first
    /// Also the trash, pins, symlinks, disks that are full for a while, questions that arrive twice, and clocks
    /// that are set.
    case second
    /// Also what is said of files besides their names, long files, names that differ in case alone, conflicts
    /// that somebody ends, searches, quotas; a server that dies, runs full and keeps house, answers that are cut
    /// in half, and people who may not see everything.
    case third
    /// Also devices that die between two of their transactions, folders that are packages, and programs that save by
    /// way of another name.
    case fourth
    /// Also disks on which a power cut undoes what was done to names.
    case fifth

    /// So many different things happen.
    var count: Int {
        switch self {
        case .first: 24
        case .second: 34
        case .third: 50
        case .fourth, .fifth: 54
        }
    }

    var knowTrash: Bool { self != .first }

    var names: [String] {
        // The last two of the first ones stay here, by the provider's wish and by a rule that is built in.
        let first = ["a", "b", "c", "d.txt", "e e", "ü", "a", "b", "n.local", "m~"]
        switch self {
        case .first: return first
        // What is called so the provider has every device keep.
        case .second: return first + ["pinned", "pinned b"]
        case .third: return first + ["pinned", "A", "B", "D.txt"]
        case .fourth, .fifth: return first + ["pinned", "A", "B", "D.txt", "p.bundle"]
        }
    }

    /// Each does what those before it do, too.
    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    static func < (left: Habits, right: Habits) -> Bool { left.place < right.place }
}
