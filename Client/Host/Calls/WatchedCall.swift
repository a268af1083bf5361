/// A call of the extension's that may stand still.
protocol WatchedCall: Sendable {
    var movement: CallMovement { get }

    /// Nobody waits for it any more: whoever did gets the error, and the extension hears that it is cancelled.
    func giveUp(_ error: any Error)
}
