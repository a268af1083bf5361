/// Why the replica is told what was written.
enum WritingOccasion: Sendable {
    /// A program asks for it, and goes on.
    case flush
    /// It is given another date, which nothing that was written before may change.
    case date
    /// Nobody has written for a while: what is there can be sent.
    case quiet
    /// It is being sent.
    case seal
    /// The last one who writes closes it.
    case close
}
