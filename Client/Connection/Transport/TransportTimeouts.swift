/// How long nothing may happen. None of them ends a transfer that moves, however slowly it does.
package struct TransportTimeouts: Sendable, Equatable {
    /// Until the connection stands, with TLS.
    package var connect: Duration
    /// From the end of the request until the answer begins. The server may have work to do.
    package var firstByte: Duration
    /// Between two signs of life while a body travels. Time in which the caller is the slower one, or a
    /// bandwidth limit holds, does not count.
    package var stall: Duration

    package init(
        connect: Duration = .seconds(15), firstByte: Duration = .seconds(60),
        stall: Duration = .seconds(30)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.stall = stall
    }
}
