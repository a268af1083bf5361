import BasketSupport
import CFuse
import Glibc

/// What is to be changed of a node's status; nil for what stays.
package struct StatusChange: Sendable, Equatable {
    /// A moment, or the present one.
    package enum Moment: Sendable, Equatable {
        case now
        case at(Timestamp)
    }

    package var permissions: UInt32?
    package var owner: UInt32?
    package var group: UInt32?
    package var size: Int64?
    package var accessed: Moment?
    package var modified: Moment?

    package init() {}

    init(_ status: stat, _ wanted: Int32) {
        func has(_ flag: Int32) -> Bool { wanted & flag != 0 }
        if has(FUSE_SET_ATTR_MODE) { permissions = status.st_mode & 0o7777 }
        if has(FUSE_SET_ATTR_UID) { owner = status.st_uid }
        if has(FUSE_SET_ATTR_GID) { group = status.st_gid }
        if has(FUSE_SET_ATTR_SIZE) { size = Int64(status.st_size) }
        if has(FUSE_SET_ATTR_ATIME_NOW) {
            accessed = .now
        } else if has(FUSE_SET_ATTR_ATIME) {
            accessed = .at(Timestamp(status.st_atim))
        }
        if has(FUSE_SET_ATTR_MTIME_NOW) {
            modified = .now
        } else if has(FUSE_SET_ATTR_MTIME) {
            modified = .at(Timestamp(status.st_mtim))
        }
    }
}

extension Timestamp {
    init(_ time: timespec) {
        let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFarNow) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        // What no year of this era can say is the last moment that one can.
        self.init(nanoseconds: isTooFar || isTooFarNow ? (time.tv_sec < 0 ? .min : .max) : sum)
    }

    var timespec: timespec {
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        return Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    }
}
