import BasketBus
import BasketSupport
import Foundation
import Glibc
import TestSupport
import Testing

private let program = "/usr/bin/gnome-keyring-daemon"

/// What our own stand-in may have wrong, the real thing has right.
@Suite(
    "GNOME's keyring", .enabled(if: PrivateBus.isPossible && access(program, X_OK) == 0),
    .timeLimit(.minutes(2)))
struct GnomeKeyringTests {
    private static let attributes = ["application": "test", "id": "1"]

    /// Starts one that its owner has unlocked, with a home folder of its own.
    private static func start(on bus: PrivateBus, in folder: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--foreground", "--unlock", "--components=secrets"]
        process.environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": folder, "XDG_RUNTIME_DIR": folder,
        ]
        let password = Foundation.Pipe()
        process.standardInput = password
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try password.fileHandleForWriting.write(contentsOf: Data("a password".utf8))
        try password.fileHandleForWriting.close()
        return process
    }

    private static func end(_ process: Process) {
        // It is deaf to milder signals, as the tests' threads are.
        kill(process.processIdentifier, SIGKILL)
        while process.isRunning { usleep(10_000) }
    }

    @Test("keeps, replaces, locks and removes as it is asked to")
    func works() async throws {
        let bus = try PrivateBus()
        let folder = FileManager.default.temporaryDirectory.path + "/gnome-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = try Self.start(on: bus, in: folder)
        defer { Self.end(process) }
        let service = try SecretService(bus: bus.address)
        for _ in 0..<500 where (try? service.secret(of: Self.attributes)) == nil {
            if (try? Self.keep(service, "first")) != nil { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try service.secret(of: Self.attributes) == Array("first".utf8))
        try Self.keep(service, "second")
        #expect(try service.secret(of: Self.attributes) == Array("second".utf8))
        #expect(try service.secret(of: ["application": "another"]) == nil)

        try Self.lock(bus)
        #expect(throws: SecretServiceError.locked) { try service.secret(of: Self.attributes) }
        #expect(throws: SecretServiceError.locked) { try Self.keep(service, "third") }
        #expect(throws: SecretServiceError.locked) { try service.remove(Self.attributes) }

        Self.end(process)
        #expect {
            try service.secret(of: Self.attributes)
        } throws: {
            if case .absent? = $0 as? SecretServiceError { true } else { false }
        }
        let next = try Self.start(on: bus, in: folder)
        defer { Self.end(next) }
        for _ in 0..<500 where (try? service.secret(of: Self.attributes)) == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try service.secret(of: Self.attributes) == Array("second".utf8))
        try service.remove(Self.attributes)
        #expect(try service.secret(of: Self.attributes) == nil)
    }

    private static func keep(_ service: SecretService, _ secret: String) throws {
        try service.keep(Array(secret.utf8), called: "Test", as: attributes)
    }

    private static func lock(_ bus: PrivateBus) throws {
        let path = "/org/freedesktop/secrets"
        let question = try BusMessage(
            to: "org.freedesktop.secrets", path, "org.freedesktop.Secret.Service", "Lock")
        question.with(.list(of: "o", [.path(path + "/collection/login")]))
        _ = try BusConnection(to: bus.address).call(question)
    }
}
