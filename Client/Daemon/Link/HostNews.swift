/// What a process that hosts a domain tells its daemon.
enum HostNews: Codable, Sendable {
    /// It is not ready yet, and works on that.
    case coming
    /// It knows its replica, and waits for the mount.
    case ready
    /// It answers for the mount.
    /// - Parameter canBeHandedOver: whether another process can go on with it.
    case serving(canBeHandedOver: Bool)
    /// One of the domain's sets has other items than before, by its number.
    case changed(set: Int)
    /// It has errands in the kernel: over the link that comes along.
    case errands
    /// Why it ends.
    case failed(reason: String)
}
