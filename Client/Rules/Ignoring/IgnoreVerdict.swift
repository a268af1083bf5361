/// Whether an item stays on this device.
package enum IgnoreVerdict: Equatable, Sendable {
    case ignored(IgnoreReason)
    /// With the line that lifted what others say, if there is one.
    case kept(IgnoreReason?)

    package var isIgnored: Bool {
        if case .ignored = self { true } else { false }
    }
}
