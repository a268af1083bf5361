/// Whether a file is called as programs call what they write before they give it another file's name. Somebody's own file
/// may look the same; it is only sent a moment later. A database's journal is none, but likewise of use to nobody else, and
/// gone in a moment.
enum DraftName {
    private static let endings = [
        "~", ".tmp", ".temp", ".new", ".part", ".partial", ".lock", ".swp", ".bak", ".save",
        "-journal",
    ]
    private static let beginnings = [".", "~", "#", "tmp", "temp"]
    /// So many letters and digits `mkstemp` makes up.
    private static let randomLength = 6

    static func isLikely(_ name: String) -> Bool {
        let name = name.lowercased()
        return endings.contains { name.hasSuffix($0) } || beginnings.contains { name.hasPrefix($0) }
            || endsAtRandom(name)
    }

    /// `report.odt.Xk3f9Q`, `sedKq81Zx`.
    private static func endsAtRandom(_ name: String) -> Bool {
        let end = name.suffix(randomLength)
        guard end.count == randomLength,
            end.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return false }
        let start = name.dropLast(randomLength)
        return start.hasSuffix(".") || start.hasSuffix("-") || start == "sed"
    }
}
