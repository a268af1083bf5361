/// What one client may cost the server. Each limit has a reason, and what happens at it.
package struct HTTPLimits: Sendable {
    /// All bytes of a request's first line and headers; more is a 431. As much as nginx takes; half of
    /// it is what an idle stream costs in memory.
    package var headerBytes = 32 << 10
    /// The path and query as they were sent; more is a 414. A path of 64 names of 255 bytes fits.
    package var targetBytes = 16 << 10
    /// All clients together; the others wait in the kernel's queue. Each costs a descriptor and, while
    /// it is busy, the memory of a request.
    package var connections = 20_000
    /// One address (an IPv6 client's /64), so that one broken client cannot lock out the others. A
    /// household or an office behind one router stays far below; trusted proxies are exempt.
    package var connectionsPerAddress = 4_096
    /// A connection that neither sends nor takes anything is closed. Longer than the 60 seconds after
    /// which clients and proxies give up their own idle connections.
    package var idleTime = Duration.seconds(75)
    /// A request's headers must be complete this long after its connection opened, or after its first
    /// line: who sends a byte at a time to keep the server busy is cut.
    package var headerTime = Duration.seconds(10)
    /// An upload must bring this many bytes a second, averaged over `uploadWindow` of waiting for the
    /// sender; less is a 408. Time in which the server is the slower one does not count.
    package var uploadBytesPerSecond = 1 << 10
    package var uploadWindow = Duration.seconds(30)
    /// What is kept of a request's body until its handler asks for it. Then the sender has to wait.
    package var uploadBufferBytes = 256 << 10
    /// A body up to this size is read before its handler begins. As large as what a handler would keep
    /// in memory anyway.
    package var gatheredBodyBytes = 64 << 10
    /// What is kept of a stream until its client takes it. Then the producer has to wait.
    package var streamBufferBytes = 64 << 10
    /// How much of a body is read and thrown away when its handler answered without it, for the sake of
    /// the connection; with more to come, the answer is sent at once and the connection closed.
    package var discardedUploadBytes = 64 << 10

    /// libmicrohttpd's memory for each connection: it holds a request's headers, what is read of its
    /// body at a time, and the answer's headers.
    var connectionMemory: Int { headerBytes + 16 << 10 }

    package init() {}
}
