import BasketSupport

/// Who had contents brought here.
package struct Hydration: Sendable, Equatable {
    package let node: NodeID
    /// Nil when nobody waited for it.
    package let program: String?
    package let bytes: Int64
    package let since: Timestamp
    package let last: Timestamp

    /// Where in the list of them one stands.
    package struct Place: Sendable, Equatable {
        package let last: Timestamp
        package let node: NodeID
        /// Empty when nobody waited for it.
        package let program: String

        package init(last: Timestamp, node: NodeID, program: String) {
            self.last = last
            self.node = node
            self.program = program
        }
    }

    package var place: Place { Place(last: last, node: node, program: program ?? "") }
}
