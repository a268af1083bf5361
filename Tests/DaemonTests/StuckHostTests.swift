import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderMount
import Foundation
import Glibc
import Testing

@testable import FileProviderDaemon

@Suite(
    "A host that is ended while it waits for the kernel", .timeLimit(.minutes(5)),
    .enabled(if: geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0))
struct StuckHostTests {
    /// A program in a host's place. The first time one of its threads asks something of the mount, which nobody answers, and it
    /// kills itself: the thread waits on, and all that the process has open stays open. The second time it serves.
    private static let host = """
        import array, json, os, signal, socket, struct, sys, threading, time
        link = socket.socket(fileno=3)
        def receive():
            data, rest, _, _ = link.recvmsg(1 << 20, socket.CMSG_SPACE(4))
            files = array.array("i")
            for level, kind, body in rest: files.frombytes(body[:4])
            return json.loads(data), files[0] if files else -1
        def say(news): link.send(json.dumps(news).encode())
        order, _ = receive()
        place = order["place"]
        say({"ready": {}})
        mount, device = receive()
        if not os.path.exists(place + "-again"):
            open(place + "-again", "w").close()
            import base64
            greeting = base64.b64decode(mount["greeting"])
            unique, = struct.unpack_from("Q", greeting, 8)
            major, minor, ahead = struct.unpack_from("III", greeting, 40)
            body = struct.pack("IIIIHHIIHHI", 7, 31, ahead, 0, 12, 9, 4096, 1, 1, 0, 0) + bytes(28)
            os.write(device, struct.pack("IiQ", 16 + len(body), 0, unique) + body)
            threading.Thread(target=lambda: os.stat(place + "/missing")).start()
            os.read(device, 1 << 20)
            say({"serving": {"canBeHandedOver": True}})
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
        say({"serving": {"canBeHandedOver": True}})
        open(place + "-serves", "w").close()
        receive()
        """

    /// A program in a host's place that serves and is gone at once, the first time. The second time it takes long, and says
    /// now and then that it comes; and notes at last whether the mount is still that of the first one.
    private static let slowHost = """
        import array, json, os, signal, socket, sys, time
        link = socket.socket(fileno=3)
        def receive():
            data, rest, _, _ = link.recvmsg(1 << 20, socket.CMSG_SPACE(4))
            return json.loads(data)
        def say(news): link.send(json.dumps(news).encode())
        place = receive()["place"]
        isFirst = not os.path.exists(place + "-again")
        if not isFirst:
            for _ in range(10):
                time.sleep(0.3)
                if SAYS_SO: say({"coming": {}})
        open(place + "-again", "w").close()
        say({"ready": {}})
        isResumed = receive()["isResumed"]
        say({"serving": {"canBeHandedOver": True}})
        if isFirst: os._exit(1)
        with open(place + "-draft", "w") as file: file.write(str(isResumed))
        os.rename(place + "-draft", place + "-serves")
        receive()
        """

    @Test("is waited for as long as it says that it comes", arguments: [true, false])
    func slow(saysSo: Bool) async throws {
        let host = Self.slowHost.replacingOccurrences(
            of: "SAYS_SO", with: saysSo ? "True" : "False")
        let isResumed = try await play(host, patience: timeval(tv_sec: 1, tv_usec: 0))
        #expect(isResumed == (saysSo ? "True" : "False"))
    }

    @Test("is followed by the next one")
    func stuck() async throws {
        #expect(try await play(Self.host, patience: timeval(tv_sec: 20, tv_usec: 0)) == "")
    }

    /// - Returns: what the second host writes once it serves; nil where it does not.
    private func play(_ host: String, patience: timeval) async throws -> String? {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: Log(level: .error) { _ in })
        let place = folder + "/place"
        for path in [folder, place, folder + "/replica"] { try world.files.makeFolder(path) }
        try host.write(toFile: folder + "/host.py", atomically: true, encoding: .utf8)
        let record = DomainRecord(
            identifier: NSFileProviderDomainIdentifier("test"), displayName: "Test")
        let supervisor = DomainSupervisor(
            DomainSupervisor.Task(
                record: record, folders: DomainFolders(replica: folder + "/replica", place: place),
                socket: folder + "/socket", boot: "1", image: "/usr/bin/env", program: "env",
                words: ["python3", folder + "/host.py"]), device: nil,
            patienceForServing: patience, world: world
        ) { _ in }
        try await supervisor.waitForFirstStart()
        let deadline = ContinuousClock.now + .seconds(60)
        while access(place + "-serves", F_OK) != 0, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        let said = try? String(contentsOfFile: place + "-serves", encoding: .utf8)
        try await supervisor.stop(atAnyCost: true)
        #expect(supervisor.stage == .stopped)
        return said
    }
}
