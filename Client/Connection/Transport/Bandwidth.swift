/// How much may travel in a second, each way; nil for as much as there is room for.
package struct Bandwidth: Hashable, Sendable {
    package var receiving: Int64?
    package var sending: Int64?

    package init(receiving: Int64? = nil, sending: Int64? = nil) {
        self.receiving = receiving
        self.sending = sending
    }
}
