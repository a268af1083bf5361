import Testing

/// Tests of the real program over real sockets on a real disk. One after another: each may load the
/// machine as much as it wants, and what they measure is theirs.
@Suite("From end to end", .aside, .serialized)
enum EndToEnd {}
