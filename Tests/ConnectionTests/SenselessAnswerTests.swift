import BasketConnection
import BasketModels
import BasketSupport
import Testing

@Suite("An answer that no server gives")
struct SenselessAnswerTests {
    private static func ask(_ transport: FixedTransport) -> ServerConnection {
        ServerConnection(
            transport: transport, credentials: .token("secret"), world: .live(log: .silent))
    }

    @Test("is none of a list that goes on where it was")
    func endless() async throws {
        let json = [(name: "content-type", value: "application/json")]
        let listing = Self.ask(FixedTransport(json, #"{"items":[],"next":"a"}"#))
        #expect(try await listing.children(of: "root", in: "Work").next == "a")
        await #expect(throws: ConnectionError.self) {
            try await listing.children(of: "root", in: "Work", cursor: "a")
        }
        let changes = Self.ask(FixedTransport(json, #"{"items":[],"anchor":"a","more":true}"#))
        #expect(try await changes.changes(in: "Work", since: "b").anchor == "a")
        await #expect(throws: ConnectionError.self) {
            try await changes.changes(in: "Work", since: "a")
        }
        let quiet = Self.ask(FixedTransport(json, #"{"items":[],"anchor":"a","more":false}"#))
        #expect(try await quiet.changes(in: "Work", since: "a").more == false)
    }

    @Test("is none of a content that is longer than there are disks")
    func length() async throws {
        let version = (name: "etag", value: "\"1xc5ysc7z9b4\"")
        let whole = FixedTransport([version, ("content-length", "\(Int64.max)")])
        await #expect(throws: ConnectionError.self) {
            try await Self.ask(whole).receiveContent(of: "a", in: "Work") { _, _ in }
        }
        let part = FixedTransport(
            [version, ("content-range", "bytes 0-9/\(Int64.max)")], status: 206)
        await #expect(throws: ConnectionError.self) {
            try await Self.ask(part).receiveContent(of: "a", in: "Work", range: 0..<10) { _, _ in }
        }
    }
}
