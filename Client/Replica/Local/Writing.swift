/// Where what is written to a file goes.
package struct Writing: Sendable {
    package let edit: Int64
    package let file: Int64
    /// The file is another one than that which has been seen: what is to stay of that is copied first.
    package let isAnew: Bool
}
