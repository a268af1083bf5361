/// Where a stream's producer writes.
package struct HTTPStreamWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    package init(send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Returns when there is room for more; a slow reader holds its producer back, and nobody else.
    package func write(_ bytes: [UInt8]) async throws {
        try await send(bytes)
    }
}
