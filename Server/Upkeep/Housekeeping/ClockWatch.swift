import BasketSupport

/// Notices when the time of day leaps: a machine whose clock was not set, or was set wrongly for a while,
/// must not take everything for very old, and forget it.
struct ClockWatch {
    private var offset: Timestamp?
    private var leapt: Duration?

    /// More than clocks are corrected by while they are right.
    private static let leap = Duration.seconds(3600)
    /// Time for somebody to set it right again.
    private static let patience = Duration.seconds(24 * 3600)

    /// Whether the time of day has been steady for long enough to tell how old things are.
    mutating func isSteady(_ world: World) -> Bool {
        let uptime = world.uptime()
        let offset = world.now() - uptime
        if let before = self.offset, !((before - Self.leap)...(before + Self.leap)).contains(offset)
        {
            leapt = uptime
            world.log.warning("the clock has leapt: history is kept whatever its age for a day")
        }
        self.offset = offset
        return leapt.map { uptime - $0 >= Self.patience } ?? true
    }
}
