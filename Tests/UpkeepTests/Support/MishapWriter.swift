import BasketDatabase

struct MishapWriter: DatabaseWriter {
    private let real: InlineWriter
    private let mishap: Mishap

    init(_ real: InlineWriter, _ mishap: Mishap) {
        self.real = real
        self.mishap = mishap
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try mishap.step()
        return try await real.write(body)
    }

    func stop() { real.stop() }
}
