import FileProviderHost
import Foundation
import Testing

@Suite("A request to a domain's host")
struct ControlLineTests {
    private struct Line: Decodable {
        struct Refusal: Decodable {
            var code: String
            var message: String
            var remedy: String
        }

        var v: Int
        var id: String?
        var error: Refusal?
    }

    /// The only line of what is answered.
    private static func answer(_ request: [UInt8], _ device: Device) async throws -> Line {
        let bytes = await ControlDesk(device.host).answer(request)
        #expect(bytes.filter { $0 == 0x0A }.count == 1)
        #expect(bytes.last == 0x0A)
        return try JSONDecoder().decode(Line.self, from: Data(bytes))
    }

    @Test(
        "that makes no sense is refused with what is wrong, and by its name",
        arguments: [
            ("", "not_json", nil), ("[]", "not_json", nil), ("7", "not_json", nil),
            ("{", "not_json", nil), ("{}", "wrong_version", nil),
            (#"{"id": "a"}"#, "wrong_version", "a"),
            (#"{"v": 2, "id": "a", "ask": "status"}"#, "wrong_version", "a"),
            (#"{"v": "1", "ask": "status"}"#, "wrong_version", nil),
            (#"{"v": 1, "id": "a"}"#, "unknown_request", "a"),
            (#"{"v": 1, "ask": 7}"#, "unknown_request", nil),
            (#"{"v": 1, "id": "a", "ask": "format"}"#, "unknown_request", "a"),
            (#"{"v": 1, "id": "a", "ask": "why"}"#, "bad_field", "a"),
            (#"{"v": 1, "ask": "why", "items": []}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "why", "items": "a"}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "why", "items": [{}]}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "why", "items": [{"path": 1}]}"#, "bad_field", nil),
            (
                #"{"v": 1, "ask": "why", "items": [{"path": "", "node": 1}]}"#, "bad_field", nil
            ),
            (
                #"{"v": 1, "ask": "why", "items": [{"node": 1}, {"node": 2}]}"#, "bad_field", nil
            ),
            (#"{"v": 1, "ask": "why", "items": [{"node": 1e300}]}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "why", "items": [{"node": -1}]}"#, "no_such_item", nil),
            (
                #"{"v": 1, "ask": "why", "items": [{"identifier": "\u0000"}]}"#, "no_such_item",
                nil
            ),
            (#"{"v": 1, "ask": "why", "items": [{"path": "../.."}]}"#, "no_such_item", nil),
            (#"{"v": 1, "ask": "cache", "limit": 0}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "cache", "limit": 1001}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "cache", "after": "x"}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "materialised", "after": "x"}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "interactions", "action": "Explode"}"#, "bad_field", nil),
            (#"{"v": 1, "ask": "run", "operations": [0]}"#, "no_such_operation", nil),
            (#"{"v": 1, "ask": "operations"}"#, "not_interactive", nil),
            (#"{"v": 1, "ask": "search", "words": "x"}"#, "not_supported", nil),
        ] as [(String, String, String?)])
    func refused(text: String, code: String, id: String?) throws {
        try Stage.play { _, device in
            let line = try await Self.answer(Array(text.utf8), device)
            #expect(line.error?.code == code)
            #expect(line.id == id)
            #expect(line.v == 1)
            #expect(line.error?.message.isEmpty == false && line.error?.remedy.isEmpty == false)
        }
    }

    @Test("that is too long, too deep or no text is refused")
    func bytes() throws {
        try Stage.play { _, device in
            let start = Array(#"{"v": 1, "ask": "status", "x": "#.utf8)
            let long = start + [0x22] + [UInt8](repeating: 0x61, count: 1 << 20) + [0x22, 0x7D]
            #expect(try await Self.answer(long, device).error?.code == "too_long")
            let deep = start + [UInt8](repeating: 0x5B, count: 100_000)
            #expect(try await Self.answer(deep, device).error?.code == "not_json")
            let noText = start + [0x22, 0xFF, 0xFE, 0x22, 0x7D]
            #expect(try await Self.answer(noText, device).error?.code == "not_json")
            let name = String(repeating: "a", count: 201)
            let named = #"{"v": 1, "id": "\#(name)", "ask": "status"}"#
            let line = try await Self.answer(Array(named.utf8), device)
            #expect(line.error?.code == "bad_field" && line.id == nil)
        }
    }

    @Test("of each kind is answered, whatever it lacks", arguments: ControlCommand.allCases)
    func each(command: ControlCommand) throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            var request = ControlRequest(command, id: "7")
            request.limit = 3
            let lines = try await device.lines(request)
            let last = try JSONDecoder().decode(Line.self, from: lines.last ?? Data())
            #expect(last.id == "7")
        }
    }

    @Test("of another day may say more than is known here")
    func unknownMembers() throws {
        try Stage.play { _, device in
            let text = #"{"v": 1, "id": "a", "ask": "hello", "colour": ["green"]}"#
            #expect(try await Self.answer(Array(text.utf8), device).error == nil)
            let hello: Hello = try await device.ask(ControlRequest(.hello))
            #expect(hello.requests == ControlCommand.allCases.map(\.rawValue))
        }
    }
}
