/// How a disk that runs full stands.
package struct DiskShortage: Sendable, Equatable {
    /// Next to nothing can be written, or something was refused lately and would be again.
    package let isShort: Bool
    /// What should be made room for, once it is short, so that people can go on for a while.
    package let missing: Int64
    package let free: Int64
}
