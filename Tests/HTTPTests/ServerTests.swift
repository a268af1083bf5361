import BasketHTTP
import BasketSupport
import Glibc
import TestSupport
import Testing

@Suite("A server", .timeLimit(.minutes(60)))
struct ServerTests {
    @Test("answers one request after another on one connection")
    func keepsAlive() async throws {
        try await withServer(answer: Answering { .text("\($0.method.rawValue) \($0.rawPath)") }) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                for path in ["/", "/a/b", "/%C3%A9"] {
                    try client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                    let answer = try client.answer()
                    #expect(answer.status == 200)
                    #expect(answer.text == "GET \(path)")
                    #expect(answer.headers["Content-Length"] == String(answer.body.count))
                    #expect(answer.headers["Date"]?.hasSuffix("GMT") == true)
                    #expect(answer.headers["Server"] == nil)
                }
            }
        }
    }

    @Test("gives each answer its own request id, the same that the handler sees")
    func requestIDs() async throws {
        try await withServer(answer: Answering { .text($0.id) }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                var ids: Set<String> = []
                for _ in 0..<40 {
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\n\r\n")
                    let answer = try client.answer()
                    #expect(answer.headers.all("X-Request-Id") == [answer.text])
                    ids.insert(answer.text)
                }
                #expect(ids.count == 40)
            }
        }
    }

    @Test("answers pipelined requests in their order, whether their handlers wait or not")
    func pipelines() async throws {
        try await withServer(
            answer: Answering { request in
                if request.path[0] == "slow" { for _ in 0..<20 { await Task.yield() } }
                return .text(request.path[1])
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                let requests = (0..<60).map { number in
                    let body = number % 5 == 0 ? "Content-Length: 3\r\n\r\nabc" : "\r\n"
                    return
                        "GET /\(number % 3 == 0 ? "slow" : "fast")/\(number) HTTP/1.1\r\nHost: h\r\n\(body)"
                }
                try client.send(requests.joined())
                for number in 0..<60 {
                    let answer = try client.answer()
                    #expect(answer.text == String(number))
                }
            }
        }
    }

    @Test("speaks HTTP/1.0, with and without keep-alive")
    func http10() async throws {
        try await withServer(answer: Answering { _ in .text("hello") }) { server in
            try await client {
                let short = try WireClient(port: server.port)
                try short.send("GET / HTTP/1.0\r\n\r\n")
                #expect(try short.answer().text == "hello")
                #expect(try short.isClosed())

                let long = try WireClient(port: server.port)
                for _ in 0..<2 {
                    try long.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(try long.answer().text == "hello")
                }
            }
        }
    }

    @Test("sends no body to HEAD, but the length that GET has")
    func head() async throws {
        try await withServer(answer: Answering { _ in .text("hello") }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer(toHead: true).headers["Content-Length"] == "5")
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer().text == "hello")
            }
        }
    }

    @Test("sends neither body nor length with a status that has none", arguments: [204, 304])
    func noBody(status: Int) async throws {
        try await withServer(answer: Answering { _ in HTTPResponse(status: status) }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                for _ in 0..<2 {
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    let answer = try client.answer()
                    #expect(answer.status == status)
                    #expect(answer.headers["Transfer-Encoding"] == nil)
                }
            }
        }
    }

    @Test("hands the request over decoded, each segment by itself")
    func decodes() async throws {
        let seen = Slot<HTTPRequest>()
        try await withServer(
            answer: Answering { request in
                seen.value = request
                return .text("")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(
                    "GET /a%2Fb/%C3%A9//x+y/?q=1+2&empty&p=%26%3D HTTP/1.1\r\nHost: h:1\r\nA: 1\r\na:  2 \r\n\r\n"
                )
                _ = try client.answer()
            }
        }
        let request = try #require(seen.value)
        #expect(request.path == ["a/b", "é", "", "x+y", ""])
        #expect(request.rawPath == "/a%2Fb/%C3%A9//x+y/")
        #expect(request.query.map(\.name) == ["q", "empty", "p"])
        #expect(request.query.map(\.value) == ["1 2", "", "&="])
        #expect(request.headers.all("A") == ["1", "2"])
        #expect(request.clientAddress == "127.0.0.1")
        #expect(!request.isSecure)
    }

    @Test("believes a trusted proxy about the client, and nobody else", arguments: [true, false])
    func proxies(isTrusted: Bool) async throws {
        let proxies = isTrusted ? [AddressRange("127.0.0.0/8")!] : []
        try await withServer(
            proxies: proxies, answer: Answering { .text("\($0.clientAddress) \($0.isSecure)") }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(
                    "GET / HTTP/1.1\r\nHost: h\r\nForwarded: for=\"[2001:db8::1]:99\";proto=https\r\n\r\n"
                )
                let seen = try client.answer().text
                #expect(seen == (isTrusted ? "2001:db8::1 true" : "127.0.0.1 false"))
            }
        }
    }

    @Test("counts what it does")
    func counts() async throws {
        let statistics = try await withServer(
            answer: Answering { request in
                _ = try? await request.body.collect(upTo: 100)
                return .text("hello", status: request.path[0] == "bad" ? 404 : 200)
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(
                    "POST /good HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n1234567")
                _ = try client.answer()
                try client.send("GET /bad HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.answer()
            }
            await server.stop(grace: .seconds(5))
            return server.statistics
        }
        #expect(statistics.requests == [0, 0, 1, 0, 1, 0])
        #expect(statistics.receivedBytes == 7)
        #expect(statistics.sentBytes == 10)
        #expect(statistics.durations.reduce(0, +) == 2)
        #expect(statistics.durationSum > .zero && statistics.durationSum < .seconds(600))
        #expect(statistics.openConnections == 0 && statistics.activeRequests == 0)
    }

    @Test("serves two thousand connections at once")
    func manyConnections() async throws {
        try await withServer(
            answer: Answering { request in
                await Task.yield()
                return .text(request.path[0])
            }
        ) { server in
            try await client {
                let clients = try (0..<2000).map { _ in try WireClient(port: server.port) }
                for (number, client) in clients.enumerated() {
                    try client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                }
                for (number, client) in clients.enumerated() {
                    #expect(try client.answer().text == String(number))
                }
                // They would be closed after their last use.
                withExtendedLifetime(clients) {
                    #expect(server.statistics.openConnections == 2000)
                }
            }
        }
    }

    @Test(
        "answers them all, however many requests wait for a worker",
        arguments: [126, 127, 128, 129, 256])
    func burst(size: Int) async throws {
        let mayGoOn = Slot(true)
        let isHeld = Slot(false)
        // The line of an answered request is written by the worker.
        let log = Log(level: .info) { _ in
            while mayGoOn.value == false {
                isHeld.value = true
                usleep(1000)
            }
        }
        try await withServer(
            log: log, workers: 1, answer: Answering { _ in .text("hello") }
        ) { server in
            try await client {
                defer { mayGoOn.value = true }
                let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
                let clients = try (0...size).map { _ in try WireClient(port: server.port) }
                for client in clients {
                    try client.send(request)
                    _ = try client.answer()
                }
                mayGoOn.value = false
                try clients[size].send(request)
                while isHeld.value == false { usleep(1000) }
                for client in clients.prefix(size) { try client.send(request) }
                mayGoOn.value = true
                for client in clients { #expect(try client.answer().status == 200) }
            }
        }
    }

    @Test("lets one address have so many connections and no more")
    func connectionsPerAddress() async throws {
        var limits = HTTPLimits()
        limits.connectionsPerAddress = 3
        try await withServer(limits, answer: Answering { _ in .text("hello") }) { server in
            try await client {
                let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
                var clients = try (0..<3).map { _ in try WireClient(port: server.port) }
                for client in clients {
                    try client.send(request)
                    #expect(try client.answer().status == 200)
                }
                let further = try WireClient(port: server.port)
                #expect(try further.isClosed())

                try clients[0].send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                _ = try clients[0].answer()
                #expect(try clients[0].isClosed())
                clients.removeFirst()
                // The place is free when the server has noticed its own closing, at the latest soon.
                while true {
                    let next = try WireClient(port: server.port)
                    if (try? next.send(request)) != nil, (try? next.answer())?.status == 200 {
                        break
                    }
                }
            }
        }
    }

    @Test("takes over a socket that listens already, and no other descriptor")
    func inheritedSocket() async throws {
        let donor = try listeningSocket()
        let server = try HTTPServer(
            configuration: HTTPServerConfiguration(listener: .descriptor(donor.descriptor)),
            handler: TestHandler { _ in .text("inherited") }, world: .live(log: .silent))
        #expect(server.port == donor.port)
        try server.start()
        try await client {
            let client = try WireClient(port: donor.port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.answer().text == "inherited")
        }
        await server.stop(grace: .zero)

        #expect(throws: HTTPServerError.notListening(descriptor: 0)) {
            try HTTPServer(
                configuration: HTTPServerConfiguration(listener: .descriptor(0)),
                handler: TestHandler { _ in .text("") }, world: .live(log: .silent))
        }
    }

    @Test("says that an address is in use")
    func addressInUse() async throws {
        let donor = try listeningSocket()
        let address = ListeningAddress(host: "127.0.0.1", port: donor.port)
        #expect(throws: HTTPServerError.self) {
            try HTTPServer(
                configuration: HTTPServerConfiguration(listener: .address(address)),
                handler: TestHandler { _ in .text("") }, world: .live(log: .silent))
        }
        closeSocket(donor.descriptor)
    }
}
