/// Whoever runs errands in the kernel.
package protocol ErrandRunning: Sendable {
    /// Waits, on this thread, until it is done.
    /// - Parameter begin: hears which thread does it, before it does.
    /// - Returns: 0, or the number of the error.
    func run(_ errand: Errand, begin: (Int32) -> Void) -> Int32

    /// Whether a thread runs errands and does nothing else, for this process or for one before it.
    func isRunner(_ thread: Int32) -> Bool
}
