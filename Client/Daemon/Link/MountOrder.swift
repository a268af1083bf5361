import Foundation

/// That a domain is mounted, and its host is to answer for it. The device comes along.
struct MountOrder: Codable, Sendable {
    let greeting: Data
    /// Whether a process before this one has had the device.
    let isResumed: Bool
    /// What the kernel calls the mount, where it tells.
    let number: UInt64?
    /// The threads of the daemon that run errands in it.
    let runners: [Int32]
}
