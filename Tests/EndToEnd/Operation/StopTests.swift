import BasketSupport
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A server that is told to stop", .timeLimit(.minutes(60)))
    struct StopTests {
        private static let upload = "/v1/domains/Work/files/upload"

        @Test("finishes what is under way, closes streams, and ends in good order")
        func graceful() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let large = [UInt8](repeating: 5, count: 32 << 20)
            _ = try caller.putFile("large", large, of: "Work")
            let anchor = try caller.anchor(of: "Work")
            let body = [UInt8](repeating: 6, count: 4 << 20)

            let uploading = try WireClient(port: server.port)
            try uploading.send(caller.head("PUT", Self.upload, length: body.count))
            try uploading.send(Array(body[..<(1 << 20)]))
            let downloading = try WireClient(port: server.port)
            try downloading.send(caller.head("GET", "/v1/domains/Work/files/large"))
            #expect(try downloading.head().status == 200)
            let stream = try WireClient(port: server.port)
            try stream.send(caller.head("GET", "/v1/events"))
            #expect(try stream.head().status == 200)
            let poll = try WireClient(port: server.port)
            try poll.send(
                caller.head("GET", "/v1/domains/Work/changes?since=\(anchor)&wait=60"))
            let idle = try WireClient(port: server.port)
            try idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try idle.answer().status == 200)

            server.process.signal(SIGTERM)
            #expect(server.process.errors.line(with: "Basket stops.") != nil)

            while try stream.chunk() != nil {}
            let polled = try poll.answer()
            #expect(polled.status == 200 && polled.json["anchor"].string == anchor)
            #expect(Patience.until { (try? WireClient(port: server.port)) == nil })
            try uploading.send(Array(body[(1 << 20)...]))
            #expect(try uploading.answer().status == 201)
            #expect(try downloading.read(large.count) == large)
            #expect(server.process.wait(upTo: .seconds(20)) == .exit(0))

            try server.restart()
            #expect(try server.caller().get(Self.upload).body == body)
        }

        @Test("waits no longer than its grace for an upload that does not come")
        func grace() throws {
            let server = try ServerProcess(["--grace", "1s"])
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let stalled = try WireClient(port: server.port)
            try stalled.send(caller.head("PUT", Self.upload, length: 1 << 20))
            try stalled.send([1, 2, 3])

            let took = Moment.measure { #expect(server.stop() == .exit(0)) }

            #expect(took > .milliseconds(900) && took < .seconds(10), "it took \(took)")
            withExtendedLifetime(stalled) {}
            try server.restart()
            #expect(try server.caller().get(Self.upload).status == 404)
            let check = try ServerProgram.run(["check", "--deep", "--data", server.folder])
            #expect(check.ending == .exit(0), "\(check.output)")
        }
    }
}
