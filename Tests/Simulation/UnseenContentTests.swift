import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Testing

@Suite("A content that nobody can look at for a while")
struct UnseenContentTests {
    private static let record = DomainRecord(identifier: .init("work"), displayName: "Work")

    /// From now on, or until it works again.
    private static func fail(_ machine: Machine, _ isFailing: Bool) {
        machine.mishap.refuse { operation, path in
            let isContent =
                path.contains("/contents/")
                && path.split(separator: "/").last.flatMap { Int($0) } != nil
            return isFailing && operation == .look && isContent ? EIO : nil
        }
    }

    @Test("comes back after the database is lost")
    func lostDatabase() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            machine.network("work").isCut = true
            try await machine.write("only here", named: "a", in: .root)
            machine.kill()
            try machine.loseDatabase(of: "work", isAll: true)
            machine.network("work").isCut = false
            Self.fail(machine, true)
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            Self.fail(machine, false)
            // What nobody names goes at a start.
            machine.kill()
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree() == ["a": "only here"])
        }
    }

    @Test("keeps no other one from coming back", arguments: [true, false])
    func lostDatabaseOfMany(isAll: Bool) throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            machine.network("work").isCut = true
            for name in ["a", "b"] {
                try await machine.write("only here", named: name, in: .root)
            }
            let file = try #require(machine.stored("a").file)
            machine.kill()
            try machine.loseDatabase(of: "work", isAll: isAll)
            machine.network("work").isCut = false
            machine.mishap.refuse { operation, path in
                operation == .look && path.hasSuffix("/\(file)") ? EIO : nil
            }
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["b"] == "only here")
            machine.mishap.refuse(nil)
            try await machine.executor.sleep(.seconds(1000))
            #expect(machine.cloud("work").tree() == ["a": "only here", "b": "only here"])
        }
    }

    @Test("keeps the domain from nothing after the power has failed")
    func powerCut() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            machine.network("work").isCut = true
            for name in ["a", "b"] {
                try await machine.write("only here", named: name, in: .root)
            }
            let file = try #require(machine.stored("a").file)
            try machine.cutPower()
            machine.network("work").isCut = false
            machine.mishap.refuse { operation, path in
                operation == .look && path.hasSuffix("/\(file)") ? EIO : nil
            }
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["b"] != nil)
        }
    }

    @Test("is here still, and needs nobody to bring it")
    func reading() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            machine.cloud("work").add("a", "a text")
            try await machine.host("work").waitForRest()
            #expect(try await machine.read("a") == "a text")
            Self.fail(machine, true)
            await #expect(throws: (any Error).self) { try await machine.read("a") }
            Self.fail(machine, false)
            machine.network("work").isCut = true
            #expect(try await machine.read("a") == "a text")
        }
    }
}
