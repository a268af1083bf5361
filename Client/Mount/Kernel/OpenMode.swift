import Glibc

/// How a file is opened.
package struct OpenMode: Sendable, Equatable {
    package let writes: Bool
    /// What is in it goes.
    package let truncates: Bool
    /// Whatever is written goes behind the end.
    package let appends: Bool
    /// Nobody may have the name before.
    package let isExclusive: Bool

    package init(flags: Int32) {
        writes = flags & O_ACCMODE != O_RDONLY
        truncates = flags & O_TRUNC != 0
        appends = flags & O_APPEND != 0
        isExclusive = flags & O_EXCL != 0
    }
}
