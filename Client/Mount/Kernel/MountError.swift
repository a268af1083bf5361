/// Why a folder cannot be mounted.
package enum MountError: Error, Equatable, CustomStringConvertible {
    /// There is no FUSE on this machine, or not for this person.
    case noDevice(String)
    case refused(String)

    package var description: String {
        switch self {
        case .noDevice(let reason): "FUSE cannot be used: \(reason)"
        case .refused(let reason): "the folder cannot be mounted: \(reason)"
        }
    }
}
