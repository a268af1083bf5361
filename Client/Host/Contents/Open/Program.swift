/// Who opens files.
package struct Program: Sendable, Hashable {
    /// As the kernel calls it: fifteen bytes at most.
    package var name: String
    /// The unit of systemd's that it runs in, where that is known.
    package var unit: String?

    package init(name: String, unit: String? = nil) {
        self.name = name
        self.unit = unit
    }
}
