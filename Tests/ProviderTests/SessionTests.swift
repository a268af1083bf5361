import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import BasketProvider

@Suite("A session", .timeLimit(.minutes(60)))
struct SessionTests {
    /// Waits for something that comes by itself; the suite's limit ends what does not.
    static func until(_ condition: () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("that the server ends is over until somebody logs in anew")
    func loggedOut() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            let mine = try #require(
                try await observer.devices().first { $0.name == "laptop" })
            try await observer.revoke(mine.id)
            for _ in 1...3 {
                await #expect { try await device.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code == .notAuthenticated
                }
            }
            device.network.fail(1000, .before)
            await #expect(throws: (any Error).self) { try await device.item(.rootContainer) }
            #expect(device.network.count == 0)

            let (_, token) = try await server.connection("laptop")
            device.credentials.keep(StoredCredentials(token: token))

            _ = try await device.item(.rootContainer)
            #expect(device.system.resolvedErrors.contains(.notAuthenticated))
        }
    }

    @Test("that the server does not know is tried again after a minute, and no sooner")
    func triedAgain() async throws {
        try await TestServer.with { server, observer in
            let ahead = Mutex(Duration.zero)
            var world = server.world
            world.uptime = { [real = server.world.uptime] in real() + ahead.withLock { $0 } }
            let device = try await Device("laptop", server, world: world)
            _ = try await device.item(.rootContainer)
            let mine = try #require(
                try await observer.devices().first { $0.name == "laptop" })
            try await observer.revoke(mine.id)
            func ask() async throws -> Int {
                device.network.fail(1000, .before, of: "/items/")
                await #expect { try await device.item(.rootContainer) } throws: {
                    NSFileProviderError(bridging: $0)?.code == .notAuthenticated
                }
                return device.network.count
            }
            while try await ask() > 0 {}
            #expect(try await ask() == 0)
            ahead.withLock { $0 = .seconds(61) }
            #expect(try await ask() == 1)
            #expect(try await ask() == 0)
            // Whoever would signal that it is over would have all try again that wait for a log-in.
            #expect(!device.system.resolvedErrors.contains(.notAuthenticated))
        }
    }

    @Test("without a log-in asks nobody")
    func nobody() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server, isLoggedIn: false)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await device.item(.rootContainer) },
                { _ = try await device.list(.rootContainer) },
                { _ = try await device.list(.workingSet) },
                { _ = try await device.create(TestItem("a", id: "1"), [1]) },
                { _ = try await device.fetch(.init("1xc5ysc7z9b4")) },
                { try await device.perform(.favorite, on: [.init("1xc5ysc7z9b4")]) },
                { _ = try await device.search("a", from: nil) },
            ]

            for call in calls {
                await #expect { try await call() } throws: {
                    NSFileProviderError(bridging: $0)?.code == .notAuthenticated
                }
            }

            #expect(device.network.count == 0)
            #expect(device.network.streams.begun == 0)
        }
    }

    @Test("stays with its domain, whatever has its name by now")
    func renamedDomain() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await ChangeTests.file("a", [1], device)
            var rename = ChangeDomainRequest()
            rename.name = "Old"
            _ = try await observer.changeDomain("Work", rename)
            _ = try await observer.createDomain(CreateDomainRequest(name: "Work"))
            device.restart()

            #expect(try await device.item(item.itemIdentifier).filename == "a")
            _ = try await device.create(TestItem("b", id: "2"), [2])

            let names = try await observer.children(of: "root", in: "Old").items.map(\.name)
            #expect(names == ["a", "b"])
            let other = try await observer.children(of: "root", in: "Work").items
            #expect(other.isEmpty)
        }
    }

    @Test("hears of changes at once, and of the server when it comes back")
    func events() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            try await Self.until { device.system.resolvedErrors.contains(.serverUnreachable) }
            let clock = ContinuousClock()
            var fastest = Duration.seconds(1000)
            for number in 0..<10 {
                let before = device.system.signalCount
                let start = clock.now
                _ = try await observer.create(
                    CreateItemRequest(parent: "root", name: "\(number)", kind: .folder),
                    in: "Work")
                try await Self.until { device.system.signalCount > before }
                fastest = min(fastest, clock.now - start)
            }
            // The change itself is in it, some ten milliseconds, and whatever else the machine does. Who asks now and
            // then instead of being told asks once a minute.
            #expect(fastest < .seconds(20))

            let resolved = device.system.resolvedErrors.count
            await server.stop()
            try server.start()
            try await Self.until { device.system.resolvedErrors.count > resolved }
        }
    }

    @Test("asks now and then, where no stream gets through")
    func polling() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device(
                "laptop", server, pollingPause: .milliseconds(20), streams: false)
            try await Self.until { device.system.signalCount > 2 }
            #expect(device.network.streams.begun > 0)
        }
    }

    @Test("of two domains shares one stream, which ends with the last of them")
    func shared() async throws {
        try await TestServer.with { server, _ in
            let registry = EventRegistry()
            let (_, token) = try await server.connection("laptop")
            let network = FaultyTransport(CurlTransport(try server.endpoint()))
            let connection = ServerConnection(
                transport: network, credentials: .token(token), world: server.world)
            let heard = Mutex<[String]>([])
            let stop = (1...2).map { number in
                registry.listen("s", token: token, connection, world: server.world) { news in
                    if case .event(.connected) = news {
                        heard.withLock { $0.append("\(number)") }
                    }
                }
            }
            try await Self.until { heard.withLock { $0.count } == 2 }
            stop[0]()
            #expect(network.streams == (1, 1))
            stop[1]()
            try await Self.until { network.streams == (1, 0) }
        }
    }

    @Test("ends with its instance: what is under way is cancelled, and nothing begins")
    func invalidated() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            device.network.delay { _ in try await Task.sleep(for: .seconds(60)) }
            let provider = device.provider
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CocoaError.self) {
                        try await device.item(.rootContainer)
                    }
                }
                group.addTask {
                    await #expect(throws: CocoaError.self) {
                        try await device.create(TestItem("a", id: "1"), [1])
                    }
                }
                try await Task.sleep(for: .milliseconds(20))
                provider.invalidate()
                try await group.waitForAll()
            }

            await #expect(throws: CocoaError.self) { try await device.item(.rootContainer) }
        }
    }

    @Test("answers a cancelled call at once")
    func cancelled() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            device.network.delay { _ in try await Task.sleep(for: .seconds(60)) }
            let error = await #expect(throws: CocoaError.self) {
                let _: Bool = try await device.answer { done in
                    let progress = device.provider.fetchContents(
                        for: .init("1xc5ysc7z9b4"), version: nil, request: NSFileProviderRequest()
                    ) { _, _, error in done(error, true) }
                    progress.cancelAtOnce()
                }
            }
            #expect(error?.code == .userCancelled)
            let again = await #expect(throws: CocoaError.self) {
                let _: Bool = try await device.answer { done in
                    let progress = device.provider.deleteItem(
                        identifier: .init("1xc5ysc7z9b4"),
                        baseVersion: NSFileProviderItemVersion(
                            contentVersion: Data(), metadataVersion: Data()), options: [],
                        request: NSFileProviderRequest()
                    ) { error in done(error, true) }
                    progress.cancelAtOnce()
                }
            }
            #expect(again?.code == .userCancelled)
        }
    }

    @Test("says when the server answers again, though its stream stood all the while")
    func recovery() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server, retries: .none)
            _ = try await device.item(.rootContainer)
            try await Self.until { device.system.resolvedErrors.contains(.serverUnreachable) }
            let resolved = device.system.resolvedErrors.count
            device.network.isDown(true)
            await #expect(throws: (any Error).self) { try await device.item(.rootContainer) }
            device.network.isDown(false)

            try await Self.until { device.system.resolvedErrors.count > resolved }
        }
    }

    @Test("says when there may be room again")
    func room() async throws {
        try await TestServer.with { server, observer in
            var request = ChangeDomainRequest()
            request.quota = .set(1000)
            _ = try await observer.changeDomain("Work", request)
            let device = try await Device("laptop", server)
            // What is told when the stream begins is none of what this is about.
            try await Self.until { device.system.signalCount >= 2 }
            for size in [2000, 100_000] {
                await #expect {
                    try await device.create(
                        TestItem("a", id: "\(size)"), someBytes(size, seed: 1))
                } throws: {
                    NSFileProviderError(bridging: $0)?.code == .insufficientQuota
                }
                _ = try await observer.create(
                    CreateItemRequest(parent: "root", name: "\(size)", kind: .folder), in: "Work")
                let expected = size == 2000 ? 1 : 2
                try await Self.until {
                    device.system.resolvedErrors.count { $0 == .insufficientQuota } == expected
                }
            }
        }
    }

    @Test("says when there may be room again because of another domain")
    func roomElsewhere() async throws {
        try await TestServer.with { server, observer in
            var request = ChangeDomainRequest()
            request.quota = .set(1000)
            _ = try await observer.changeDomain("Work", request)
            _ = try await observer.createDomain(CreateDomainRequest(name: "Other"))
            let device = try await Device("laptop", server)
            try await Self.until { device.system.signalCount >= 2 }
            await #expect(throws: (any Error).self) {
                try await device.create(TestItem("a", id: "a"), someBytes(2000, seed: 1))
            }

            _ = try await observer.create(
                CreateItemRequest(parent: "root", name: "a", kind: .folder), in: "Other")

            try await Self.until { device.system.resolvedErrors.contains(.insufficientQuota) }
        }
    }

    @Test("says when somebody who was put out is let in again, as whatever they were before")
    func letIn() async throws {
        try await TestServer.with { server, observer in
            try await observer.deleteDomain("Work")
            _ = try await observer.createAccount(
                CreateAccountRequest(name: "bob", password: TestServer.password))
            let (bob, _) = try await server.connection("desk", of: "bob")
            _ = try await bob.createDomain(CreateDomainRequest(name: "Work"))
            _ = try await bob.setMember("ada", of: "Work", role: .writer)
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            try await bob.removeMember("ada", of: "Work")
            await #expect {
                try await device.create(TestItem("a", id: "1"), [1])
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .cannotSynchronize
            }
            #expect(!device.system.resolvedErrors.contains(.cannotSynchronize))

            _ = try await bob.setMember("ada", of: "Work", role: .writer)

            try await Self.until { device.system.resolvedErrors.contains(.cannotSynchronize) }
            _ = try await device.create(TestItem("a", id: "1"), [1])
        }
    }

    @Test("gathers what comes while a batch is on its way")
    func batches() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            _ = try await device.item(.rootContainer)
            device.network.fail(10_000, .before)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        _ = try await device.create(
                            TestItem("file \(number)", id: "\(number)"), [1])
                    }
                }
                try await group.waitForAll()
            }

            #expect(device.network.count < 100)
            let domain = try await observer.domain("Work")
            #expect(domain.items >= 1000)
        }
    }

    @Test("says in the program's log what is wrong, and of which domain")
    func log() {
        let lines = Mutex<[(Log.Entry)]>([])
        let log = Log(level: .info) { entry in lines.withLock { $0.append(entry) } }
        let domain = NSFileProviderDomain(identifier: .init("Work"), displayName: "Work")
        let provider = BasketExtension(domain: domain, log: log)
        let told = lines.withLock { $0 }
        #expect(told.map(\.level) == [.error])
        let domains = told.first?.fields.compactMap { field in
            if field.name == "domain", case .text(let text) = field.value { text } else { nil }
        }
        #expect(domains == ["Work"])
        provider.invalidate()
    }

    @Test("of a domain that says nothing of its server fails with words")
    func misconfigured() async throws {
        let domain = NSFileProviderDomain(identifier: .init("Work"), displayName: "Work")
        let provider = BasketExtension(domain: domain)
        let error = await #expect(throws: NSError.self) {
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                _ = provider.item(for: .rootContainer, request: NSFileProviderRequest()) {
                    _, error in
                    done.resume(with: error.map { .failure($0) } ?? .success(()))
                }
            }
        }
        #expect(error?.code == NSFileProviderError.cannotSynchronize.rawValue)
        #expect(error?.localizedDescription.contains("server") == true)
        #expect(throws: (any Error).self) {
            try provider.enumerator(for: .rootContainer, request: NSFileProviderRequest())
        }
    }
}
