import Testing

/// What the tests of a suite share: one server, for as long as the suite runs.
struct Stage: SuiteTrait, TestScoping {
    let options: [String]

    /// What a test finds: a server with a domain `Target` that holds something to aim at.
    struct Scene: Sendable {
        let server: ServerProcess
        /// A file `file.txt` of 1,000 bytes.
        let file: String
        /// A folder `folder`.
        let folder: String

        static let domain = "/v1/domains/Target"
        static let content = (0..<1000).map { UInt8(ascii: "a") + UInt8($0 % 26) }

        init(_ options: [String]) throws {
            server = try ServerProcess(options)
            let caller = server.caller()
            try caller.makeDomain("Target")
            file = try caller.putFile("file.txt", Self.content, of: "Target")
            folder = try caller.makeFolder("folder", of: "Target")
        }
    }

    @TaskLocal private static var current: Scene?

    static var scene: Scene {
        get throws {
            guard let current else { throw Failure("the suite has no .server trait") }
            return current
        }
    }

    /// The suite's server.
    static var server: ServerProcess { get throws { try scene.server } }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let scene = try Scene(options)
        defer { scene.server.kill() }
        try await Self.$current.withValue(scene) { try await body() }
    }
}

extension Trait where Self == Stage {
    static var server: Self { Stage(options: []) }

    static func server(_ options: String...) -> Self { Stage(options: options) }
}
