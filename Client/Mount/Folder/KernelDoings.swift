/// What the kernel has done to a node itself, of which it tells those who watch.
struct KernelDoings: OptionSet, Sendable {
    let rawValue: Int

    /// It has another date of change.
    static let renaming = KernelDoings(rawValue: 1)
    /// It has another length and other dates, too.
    static let writing = KernelDoings(rawValue: 2)

    /// What the kernel was told before, with what it has made of that itself.
    func applied(to told: FileStatus, now: FileStatus) -> FileStatus {
        var status = told
        if !isEmpty { status.changed = now.changed }
        if contains(.writing) {
            (status.size, status.stored) = (now.size, now.stored)
            (status.modified, status.accessed) = (now.modified, now.accessed)
        }
        return status
    }
}
