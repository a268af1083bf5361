import FileProviderHost
import Testing

extension Device {
    /// What would be next, in words.
    func available() async throws -> [String] {
        try await host.availableOperations().map(\.words).sorted()
    }

    /// Runs what is called that, of what would be next.
    func run(_ words: String) async throws {
        let operation = try await host.availableOperations().first { $0.words == words }
        let errors = await host.run([try #require(operation, "\(words) is not available")])
        if let error = errors.values.first { throw error }
    }

    /// Runs whatever is available until nothing is.
    func runAll(choosing: (Int) -> Int = { _ in 0 }) async throws {
        for _ in 0..<1000 {
            let available = try await host.availableOperations()
            guard !available.isEmpty else { return }
            _ = await host.run([available[choosing(available.count)]])
        }
        Issue.record("there is no end to what is available: \(try await available())")
    }
}
