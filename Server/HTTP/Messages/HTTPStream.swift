/// Produces a body of unknown length.
package struct HTTPStream: Sendable {
    /// Writes the body; its return ends it. It runs in a task of its own, which is cancelled when
    /// the client goes away or the server stops.
    package let produce: @Sendable (HTTPStreamWriter) async throws -> Void

    package init(_ produce: @escaping @Sendable (HTTPStreamWriter) async throws -> Void) {
        self.produce = produce
    }
}
