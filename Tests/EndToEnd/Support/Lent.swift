import TestSupport

/// Lends something to another thread. Whoever writes it makes sure that both never do the same with
/// it at once: one sends on a socket, for example, while the other receives.
struct Lent<Value>: @unchecked Sendable {
    // Unchecked: sending and receiving on a `WireClient` share nothing but the descriptor.
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
