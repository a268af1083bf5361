/// Bytes of one item that are on their way.
struct Transfer: Sendable {
    /// Whose bytes: several parts of one item are one file.
    let item: String
    let size: Int64
    /// How far the extension says that it has come.
    let fraction: @Sendable () -> Double

    var completed: Int64 {
        min(size, Int64(Double(size) * min(max(fraction(), 0), 1)))
    }
}
