/// How much of a request's body has gone, and how much of its answer's has come.
package struct TransferProgress: Sendable, Equatable {
    package var sent: Int64
    package var received: Int64

    package init(sent: Int64 = 0, received: Int64 = 0) {
        self.sent = sent
        self.received = received
    }
}
