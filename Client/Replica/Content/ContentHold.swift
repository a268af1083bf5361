/// As long as somebody has this, the file that it names stays where it is, whatever becomes of its node: an
/// extension reads it by its path.
package final class ContentHold: Sendable {
    package let file: Int64
    private let holds: ContentHolds

    init(_ file: Int64, _ holds: ContentHolds) {
        self.file = file
        self.holds = holds
    }

    deinit { holds.release(file) }
}
