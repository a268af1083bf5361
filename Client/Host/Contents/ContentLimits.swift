/// How much of contents stays on a device. What only this device has stays in any case.
package struct ContentLimits: Sendable, Equatable {
    /// So many bytes at most; nil: as many as there is room for.
    package var most: Int64?
    /// Where there are too many, so large a part of them stays: room is made rarely, and then enough of it.
    package var lowMark = 0.9
    /// What nobody has opened for so long goes; nil: for however long.
    package var longestUnused: Duration?
    /// So much of the disk is left to others, but no more than a twentieth of it.
    package var leastFree: Int64 = 1 << 30

    package init() {}
}
