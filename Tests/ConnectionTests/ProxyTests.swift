import BasketConnection
import Foundation
import Synchronization
import TestSupport
import Testing

/// The environment is that of the whole process: who is told of a proxy is another process, which runs this suite's
/// second half.
@Suite("A proxy that the environment names", .timeLimit(.minutes(60)))
struct ProxyTests {
    private static let mark = "BASKET_TEST_BEHIND_PROXY"
    private static let isBehind = ProcessInfo.processInfo.environment[mark]

    @Test(
        "is gone through to servers elsewhere, and not to this machine, nor where it is not wanted")
    func gone() async throws {
        let asked = Asked()
        let proxy = try RawServer { connection, _ in
            guard let head = try connection.head() else { return }
            asked.add(String(head.prefix { $0 != "\r\n" }))
            guard head.hasPrefix("GET ") else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nthrough")
        }
        let direct = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect")
        }
        let status = try await Self.run([
            Self.mark: direct.url, "http_proxy": proxy.url, "https_proxy": proxy.url,
            "no_proxy": "unproxied.invalid",
        ])
        #expect(status == 0)
        #expect(
            asked.all == [
                "GET http://far.invalid/there HTTP/1.1", "CONNECT far.invalid:443 HTTP/1.1",
            ])
        withExtendedLifetime((proxy, direct)) {}
    }

    @Test("is known to who is told of it", .enabled(if: isBehind != nil, "runs by itself"))
    func known() async throws {
        let direct = try #require(Self.isBehind)
        func outcome(_ url: String) async throws -> (body: [UInt8], error: TransportError?) {
            let transport = CurlTransport(try .of(url, allowsInsecureHTTP: true))
            let outcome = await CurlTransportTests.outcome(
                transport, TransportRequest("GET", "/there"))
            return (outcome.body, outcome.error)
        }
        #expect(try await outcome("http://far.invalid").body == Array("through".utf8))
        #expect(try await outcome("https://far.invalid").error != nil)
        #expect(try await outcome(direct).body == Array("direct".utf8))
        guard case .nameNotFound? = try await outcome("http://unproxied.invalid").error else {
            return #expect(Bool(false), "nobody has that name")
        }
    }

    /// Runs the second half in a process of its own.
    private static func run(_ variables: [String: String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "ProxyTests/known",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

private final class Asked: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}
