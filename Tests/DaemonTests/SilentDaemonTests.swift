import BasketSupport
import FileProviderDaemon
import Foundation
import Glibc
import Testing

@Suite("Whoever asks a daemon that says nothing")
struct SilentDaemonTests {
    @Test("hears that it does, after a while", .timeLimit(.minutes(20)))
    func silent() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        let listener = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(listener)
            unlink(path)
        }
        let address = try #require(UnixAddress(path))
        try #require(
            address.withPointer { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0)
        await #expect {
            _ = try await ControlClient(path).ask(
                DaemonRequest(.hello), for: DaemonHello.self, within: .milliseconds(50))
        } throws: { error in
            if case ControlClient.Failure.silent = error { true } else { false }
        }
    }
}
