import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A log-in in a desktop's keyring",
        .enabled(if: Laptop.isPossible && PrivateBus.isPossible), .serialized,
        .timeLimit(.minutes(5)))
    struct KeyringTests {
        /// The one file of credentials that there is.
        private static func file(of laptop: Laptop) throws -> String {
            let folder = laptop.data + "/credentials"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let name = try #require(names.first)
            #expect(names.count == 1)
            return folder + "/" + name
        }

        private static func json(of laptop: Laptop) throws -> JSON {
            try JSON(Array(Data(contentsOf: URL(fileURLWithPath: file(of: laptop)))))
        }

        @Test(
            "is used once the keyring is unlocked, and until then the folder is there with what is here"
        )
        func locked() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let bus = try PrivateBus()
            let keyring = try FakeSecretService(on: bus)
            defer { keyring.stop() }
            let laptop = try Laptop(sessionBus: bus.address)
            let folder = try laptop.connect("Work", to: server)

            #expect(keyring.items.map(\.label) == ["Basket: admin at 127.0.0.1:\(server.port)"])
            let token = String(decoding: try #require(keyring.items.first).secret, as: UTF8.self)
            let text = try String(contentsOfFile: Self.file(of: laptop), encoding: .utf8)
            #expect(try Self.json(of: laptop)["keyring"].string != nil)
            #expect(try Self.json(of: laptop)["token"].string == nil)
            #expect(!token.isEmpty && !text.contains(token))
            try Laptop.shell("echo kept >file", in: folder)
            try laptop.settle("Work")

            laptop.stopDaemon()
            keyring.manners.isLocked = true
            try laptop.startDaemon()
            #expect(try Laptop.shell("cat file", in: folder) == "kept\n")
            #expect(
                Patience.until {
                    let status = try? laptop.basket("status", "Work")
                    return status?.ending == .exit(15)
                        && status?.output.contains("keyring, which is locked. Unlock it") == true
                })
            try Laptop.shell("echo more >>file; echo new >another", in: folder)
            let why = try laptop.basket("why", folder + "/another")
            #expect(!why.output.contains("is logged in"))
            let doctor = try laptop.basket("doctor")
            #expect(doctor.output.contains("keyring, which is locked"))
            let log = try laptop.basket("log", "Work")
            #expect(log.ending == .exit(12))
            #expect(log.errors.contains("keyring, which is locked"))
            #expect(keyring.dismissed == 0)

            keyring.manners.isLocked = false
            #expect(
                Patience.until(upTo: .seconds(40)) {
                    (try? laptop.basket("status", "Work"))?.ending == .exit(0)
                })
            let files = try server.caller().get("/v1/domains/Work/files/file")
            #expect(files.text == "kept\nmore\n")
            #expect(keyring.items.count == 1)
        }

        @Test("is replaced by the next one, and goes with the domain")
        func replaced() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let bus = try PrivateBus()
            let keyring = try FakeSecretService(on: bus)
            defer { keyring.stop() }
            let laptop = try Laptop(sessionBus: bus.address)
            _ = try laptop.connect("Work", to: server)
            let first = keyring.items
            _ = try laptop.connect("Work", to: server)
            #expect(keyring.items.count == 1)
            #expect(keyring.items != first)
            let devices = try server.caller().get("/v1/devices").json["devices"].array
            #expect(devices.filter { $0["name"].string == "laptop" }.count == 1)

            try laptop.expect(
                "connect", "Work", "--account", "admin", "--password-stdin", "--no-keyring",
                input: server.password + "\n")
            #expect(keyring.items.isEmpty)
            #expect(try Self.json(of: laptop)["token"].string != nil)
            try laptop.settle("Work")

            _ = try laptop.connect("Work", to: server)
            #expect(keyring.items.count == 1)
            try laptop.expect("disconnect", "Work")
            #expect(keyring.items.isEmpty)
        }

        @Test("that its owner has removed there is none any more, and can be given anew")
        func removed() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let bus = try PrivateBus()
            let keyring = try FakeSecretService(on: bus)
            defer { keyring.stop() }
            let laptop = try Laptop(sessionBus: bus.address)
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("echo kept >file", in: folder)
            try laptop.settle("Work")
            laptop.stopDaemon()
            keyring.clear()
            try laptop.startDaemon()
            #expect(
                Patience.until {
                    let status = try? laptop.basket("status", "Work")
                    return status?.output.contains("Nobody is logged in") == true
                })
            #expect(try Laptop.shell("cat file", in: folder) == "kept\n")
            _ = try laptop.connect("Work", to: server)
            try laptop.settle("Work")
            #expect(keyring.items.count == 1)
        }
    }
}
