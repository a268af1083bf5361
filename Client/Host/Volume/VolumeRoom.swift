/// How much room there is in a domain's folder, as programs ask for it, in bytes.
package struct VolumeRoom: Sendable, Equatable {
    package var total: Int64
    package var free: Int64
    /// What can be written now: it has to lie here first.
    package var available: Int64
}
