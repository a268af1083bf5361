import BasketBus
import BasketSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "Who keeps secrets on a desktop", .enabled(if: PrivateBus.isPossible), .timeLimit(.minutes(2)))
struct SecretServiceTests {
    private static let attributes = ["application": "test", "id": "1"]
    private static let all = ["application": "test"]
    private static let secret = Array("a secret".utf8)

    /// A bus of one's own with somebody on it who keeps secrets.
    private static func with(
        _ body: (FakeSecretService, SecretService) throws -> Void
    ) throws {
        let bus = try PrivateBus()
        let fake = try FakeSecretService(on: bus)
        defer { fake.stop() }
        try body(fake, SecretService(bus: bus.address, patience: .milliseconds(500)))
    }

    private static func keep(
        _ service: SecretService, _ secret: [UInt8] = secret,
        _ attributes: [String: String] = attributes
    ) throws {
        try service.keep(secret, called: "Test: a secret", as: attributes)
    }

    @Test("keep one, and give it back to whoever knows some of its attributes")
    func keeps() throws {
        try Self.with { fake, service in
            #expect(try service.secret(of: Self.attributes) == nil)
            try Self.keep(service)
            let item = try #require(fake.items.first)
            #expect(fake.items.count == 1)
            #expect(item.attributes == Self.attributes)
            #expect(item.label == "Test: a secret")
            #expect(item.secret == Self.secret)
            #expect(try service.secret(of: Self.attributes) == Self.secret)
            #expect(try service.secret(of: Self.all) == Self.secret)
            #expect(try service.secret(of: ["application": "another"]) == nil)
        }
    }

    @Test("keep any bytes, also none", arguments: [[], [0], Array(0...255)])
    func bytes(secret: [UInt8]) throws {
        try Self.with { _, service in
            try Self.keep(service, secret)
            #expect(try service.secret(of: Self.attributes) == secret)
        }
    }

    @Test("replace the one with the same attributes, and no other")
    func replaces() throws {
        try Self.with { fake, service in
            try Self.keep(service)
            try Self.keep(service, [1])
            try Self.keep(service, [2], ["application": "test", "id": "2"])
            #expect(fake.items.map(\.secret) == [[1], [2]])
        }
    }

    @Test("remove what has some attributes, but not what has others as well")
    func removes() throws {
        try Self.with { fake, service in
            for id in ["1", "2", "3"] {
                try Self.keep(service, [], ["application": "test", "id": id])
            }
            try Self.keep(service, [], ["application": "another", "id": "1"])
            try service.remove(Self.all, besides: ["application": "test", "id": "2"])
            #expect(fake.items.map { $0.attributes["id"] } == ["2", "1"])
            try service.remove(Self.all)
            #expect(fake.items.map(\.attributes) == [["application": "another", "id": "1"]])
            try service.remove(Self.all)
        }
    }

    @Test(
        "who are locked say neither what they have nor that there is nothing",
        arguments: [true, false])
    func locked(findsLocked: Bool) throws {
        try Self.with { fake, service in
            try Self.keep(service)
            fake.manners.findsLocked = findsLocked
            fake.manners.isLocked = true
            #expect(throws: SecretServiceError.locked) {
                try service.secret(of: Self.attributes)
            }
            #expect(throws: SecretServiceError.locked) { try Self.keep(service, [1]) }
            if findsLocked {
                #expect(throws: SecretServiceError.locked) { try service.remove(Self.all) }
            }
            #expect(fake.dismissed == 0)
            fake.manners.isLocked = false
            #expect(try service.secret(of: Self.attributes) == Self.secret)
            fake.clear()
            #expect(try service.secret(of: Self.attributes) == nil)
        }
    }

    @Test("who have no keyring have no place for it, and do not say that it is gone")
    func noKeyring() throws {
        try Self.with { fake, service in
            fake.manners.hasKeyring = false
            for question in [{ try Self.keep(service) }, { _ = try service.secret(of: Self.all) }] {
                #expect {
                    try question()
                } throws: {
                    if case .absent? = $0 as? SecretServiceError { true } else { false }
                }
            }
        }
    }

    @Test("who would ask their owner are told not to")
    func prompt() throws {
        try Self.with { fake, service in
            fake.manners.wantsPrompt = true
            #expect(throws: SecretServiceError.wantsPrompt) { try Self.keep(service) }
            #expect(fake.items.isEmpty)
            #expect(fake.dismissed == 1)

            fake.manners.wantsPrompt = false
            try Self.keep(service)
            fake.manners.wantsPrompt = true
            #expect(throws: SecretServiceError.wantsPrompt) { try service.remove(Self.all) }
            #expect(fake.items.count == 1)
            #expect(fake.dismissed == 2)
        }
    }

    @Test("are not believed when they have kept it")
    func forgetful() throws {
        try Self.with { fake, service in
            fake.manners.isForgetful = true
            #expect(throws: SecretServiceError.failed("what was kept is not there")) {
                try Self.keep(service)
            }
        }
    }

    @Test(
        "may end in the middle",
        arguments: ["ReadAlias", "OpenSession", "CreateItem", "SearchItems", "GetSecret"])
    func dies(method: String) throws {
        try Self.with { fake, service in
            fake.manners.diesOf = method
            #expect {
                try Self.keep(service)
            } throws: {
                if case .absent? = $0 as? SecretServiceError { true } else { false }
            }
            #expect {
                try service.secret(of: Self.attributes)
            } throws: {
                if case .absent? = $0 as? SecretServiceError { true } else { false }
            }
        }
    }

    @Test("may say nothing, and nobody waits for long")
    func mute() throws {
        try Self.with { fake, service in
            fake.manners.isMute = true
            let clock = ContinuousClock()
            let began = clock.now
            #expect {
                try service.secret(of: Self.attributes)
            } throws: {
                if case .absent? = $0 as? SecretServiceError { true } else { false }
            }
            #expect(clock.now - began < .seconds(10))
        }
    }

    @Test("may not be there, nor the bus on which they would be")
    func nobody() throws {
        let bus = try PrivateBus()
        let service = try SecretService(bus: bus.address)
        #expect {
            try service.secret(of: Self.attributes)
        } throws: {
            if case .absent? = $0 as? SecretServiceError { true } else { false }
        }
        for address in ["unix:path=/nowhere/bus", "nonsense", ""] {
            #expect {
                _ = try SecretService(bus: address)
            } throws: {
                if case .absent? = $0 as? SecretServiceError { true } else { false }
            }
        }
    }

    @Test("may be on a bus that lets in, and says nothing")
    func silentBus() throws {
        let path = FileManager.default.temporaryDirectory.path + "/silent-\(UUID().uuidString)"
        let silent = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(silent)
            unlink(path)
        }
        let address = try #require(UnixAddress(path))
        let bound = address.withPointer { bind(silent, $0, $1) }
        try #require(bound == 0 && listen(silent, 1) == 0)
        let clock = ContinuousClock()
        let began = clock.now
        #expect(throws: SecretServiceError.self) {
            try SecretService(bus: "unix:path=\(path)", patience: .milliseconds(300))
        }
        #expect(clock.now - began < .seconds(10))
    }
}
