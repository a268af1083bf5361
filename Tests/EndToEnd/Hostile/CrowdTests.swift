import BasketSupport
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A crowd of clients", .serialized, .timeLimit(.minutes(60)))
    struct CrowdTests {
        /// Ten thousand, or as many as the machine lets one process open.
        private static let crowd: Int = {
            let wanted = 10_000
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, UInt(wanted + 500))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return min(wanted, Int(limit.rlim_cur) - 500)
        }()
        /// So many addresses that none of them has more connections than one may have.
        private static let addresses = 4

        /// How long half of a hundred requests took at the most, each one reading and writing.
        private static func usualTime(_ server: ServerProcess) throws -> Duration {
            let caller = server.caller()
            let times = try (0..<100).map { index in
                try Moment.measure {
                    try caller.expect(200, try caller.get("/v1/domains/Work/items/root"))
                    _ = try caller.putFile("usual", [UInt8(index)], of: "Work")
                }
            }
            return times.sorted()[times.count / 2]
        }

        @Test("of ten thousand slows nobody down, costs bounded memory, and is answered")
        func connections() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            try server.caller().makeDomain("Work")
            let before = (memory: server.residentKiB, time: try Self.usualTime(server))
            let half = server.caller().head("PUT", "/v1/domains/Work/files/half", length: 1000)
            var idle: [WireClient] = []
            var others: [WireClient] = []
            for index in 0..<Self.crowd {
                let client = try WireClient(
                    port: server.port, from: UInt8(2 + index % Self.addresses))
                switch (index / Self.addresses) % 4 {
                case 0: others.append(client)
                case 1:
                    try client.send("GET /healthz HTTP/1.1\r\nHost: ")
                    others.append(client)
                case 2:
                    try client.send(half + [1, 2, 3])
                    others.append(client)
                default:
                    try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                    #expect(try client.answer().status == 200)
                    idle.append(client)
                }
            }
            let during = try Self.usualTime(server)
            let each = (server.residentKiB - before.memory) / Self.crowd

            #expect(
                during < before.time * 5 + .milliseconds(20), "\(before.time) became \(during)")
            #expect(each < 64, "each connection costs \(each) KiB")
            for client in idle {
                try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try client.answer().status == 200)
            }
            withExtendedLifetime(others) {}
        }

        @Test("that is turned away at the limit of all connections comes in when others leave")
        func limit() throws {
            let server = try ServerProcess(["--connections", "64"])
            defer { server.kill() }
            var crowd = try (0..<64).map { _ in try WireClient(port: server.port, from: 2) }
            let waiting = try WireClient(port: server.port, from: 3)
            try waiting.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(crowd.count == 64)
            crowd = []
            #expect(try waiting.answer().status == 200)
        }

        @Test("that asks a thousand times at once and reads nothing keeps nobody waiting")
        func flood() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let before = (memory: server.residentKiB, time: try Self.usualTime(server))
            let (port, request) = (server.port, caller.head("GET", "/v1/domains/Work/changes"))
            let flooding = try (0..<50).map { _ in
                let client = try WireClient(port: port, timeout: 3)
                return (
                    client: client,
                    sending: Meanwhile { [client = Lent(client)] in
                        // It ends when the server has enough of it.
                        for _ in 0..<1000 { try client.value.send(request) }
                    }
                )
            }
            let during = try Self.usualTime(server)

            #expect(
                during < before.time * 10 + .milliseconds(50), "\(before.time) became \(during)")
            #expect(server.residentKiB - before.memory < 64 << 10)
            for flood in flooding { _ = try? flood.sending.result() }  // Some were stopped.
        }

        @Test("from one address is turned away at its limit, and let in again below it")
        func perAddress() throws {
            let server = try ServerProcess(["--connections-per-address", "20"])
            defer { server.kill() }
            var crowd = try (0..<40).map { _ in try WireClient(port: server.port) }
            var answered = 0
            for client in crowd {
                do {
                    try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                    if try client.answer().status == 200 { answered += 1 }
                } catch {}  // Turned away.
            }
            #expect(answered > 0 && answered <= 20, "\(answered) were served")
            crowd = []
            #expect(Patience.until { (try? server.caller().get("/healthz").status) == 200 })
        }

        @Test("that is slow on purpose is cut, while others are served", .timeLimit(.minutes(60)))
        func slow() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            try server.caller().makeDomain("Work")
            let (port, token) = (server.port, server.token)
            let headers = Meanwhile { try Self.dribble("GET /healthz HTTP/1.1\r\nX: ", port) }
            let hundreds = Meanwhile { try Self.dribbleByTheHundred(port, token) }
            let body = Meanwhile {
                try Self.dribble(
                    "PUT /v1/domains/Work/files/slow HTTP/1.1\r\nHost: x\r\n"
                        + "Authorization: Bearer \(token)\r\nContent-Length: 1000000\r\n\r\n", port)
            }
            let caller = server.caller()
            for _ in 0..<50 {
                let took = try Moment.measure {
                    try caller.expect(200, try caller.get("/v1/domains/Work/items/root"))
                }
                #expect(took < .seconds(1))
            }

            let allTook = try hundreds.result()
            #expect(allTook < .seconds(50), "hundreds may take \(allTook)")
            let (headersTook, _) = try headers.result()
            let (bodyTook, answer) = try body.result()

            #expect(headersTook < .seconds(20), "headers may take \(headersTook)")
            #expect(bodyTook < .seconds(45), "a body may take \(bodyTook)")
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
            #expect(try caller.get("/v1/domains/Work/files/slow").status == 404)
        }

        /// The same with hundreds of connections: how long it takes until the last one is cut.
        private static func dribbleByTheHundred(
            _ port: UInt16, _ token: String
        ) throws -> Duration {
            let begin = Moment.now
            let starts = [
                "GET /healthz HTTP/1.1\r\nX: ",
                "PUT /v1/domains/Work/files/slow HTTP/1.1\r\nHost: x\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Length: 1000000\r\n\r\n",
            ]
            var clients = try (0..<600).map { index in
                let client = try WireClient(port: port)
                try client.send(starts[index % 2])
                return client
            }
            let pause = Semaphore()
            while !clients.isEmpty, Moment.now - begin < .seconds(60) {
                _ = pause.wait(upTo: .milliseconds(500))
                clients.removeAll { (try? $0.send("x")) == nil }  // It was cut.
            }
            return Moment.now - begin
        }

        /// Sends a byte each half second until the server has had enough; how long that took, and
        /// what it said.
        private static func dribble(_ start: String, _ port: UInt16) throws -> (Duration, String) {
            let client = try WireClient(port: port)
            let begin = Moment.now
            try client.send(start)
            let answer = Meanwhile { [client = Lent(client)] in
                String(decoding: try client.value.readToEnd(), as: UTF8.self)
            }
            let isOver = Semaphore()
            let watching = Meanwhile {
                _ = try? answer.result()  // A reset is an end too.
                isOver.signal()
            }
            while Moment.now - begin < .seconds(60), !isOver.wait(upTo: .milliseconds(500)) {
                do { try client.send("x") } catch { break }
            }
            let took = Moment.now - begin
            try watching.result()
            return (took, (try? answer.result()) ?? "")
        }

        @Test("of streams hears of a change at once, and costs little")
        func streams() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let before = server.residentKiB
            let streams = try (0..<500).map { _ in
                let stream = try WireClient(port: server.port)
                try stream.send(caller.head("GET", "/v1/events"))
                #expect(try stream.head().status == 200)
                return stream
            }
            for stream in streams { _ = try stream.chunk() }
            let each = (server.residentKiB - before) / streams.count
            _ = try caller.makeFolder("news", of: "Work")
            let took = try Moment.measure {
                for stream in streams {
                    let text = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
                    #expect(text.contains("event: change"))
                }
            }
            #expect(took < .seconds(5), "it took \(took)")
            #expect(each < 100, "each stream costs \(each) KiB")
        }

        @Test("that uploads and never ends keeps the memory bounded")
        func stalled() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let block = [UInt8](repeating: 3, count: 8 << 20)
            let stalled = try (0..<20).map { index in
                let client = try WireClient(port: server.port)
                try client.send(
                    caller.head("PUT", "/v1/domains/Work/files/\(index)", length: 1 << 30))
                try client.send(block)
                return client
            }
            let took = try Moment.measure {
                _ = try caller.putFile("quick", [1, 2, 3], of: "Work")
            }
            #expect(took < .seconds(2), "a small write took \(took)")
            #expect(server.residentKiB < 400 << 10, "\(server.residentKiB) KiB")
            withExtendedLifetime(stalled) {}
        }

        @Test("that asks and never reads keeps the memory bounded")
        func unread() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            _ = try caller.putFile("large", [UInt8](repeating: 3, count: 32 << 20), of: "Work")
            let before = server.residentKiB
            let deaf = try (0..<50).map { _ in
                let client = try WireClient(port: server.port)
                for path in ["/v1/domains/Work/files/large", "/v1/domains/Work/changes"] {
                    try client.send(caller.head("GET", path))
                }
                return client
            }
            let took = try Moment.measure {
                for _ in 0..<50 { try caller.expect(200, try caller.get("/v1/domains")) }
            }
            #expect(took < .seconds(3), "fifty requests took \(took)")
            #expect(server.residentKiB - before < 64 << 10)
            withExtendedLifetime(deaf) {}
        }
    }
}
