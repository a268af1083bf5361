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

    @Test("is followed by the next one")
    func stuck() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: Log(level: .error) { _ in })
        let place = folder + "/place"
        for path in [folder, place, folder + "/replica"] { try world.files.makeFolder(path) }
        try Self.host.write(toFile: folder + "/host.py", atomically: true, encoding: .utf8)
        let record = DomainRecord(
            identifier: NSFileProviderDomainIdentifier("test"), displayName: "Test")
        let supervisor = DomainSupervisor(
            DomainSupervisor.Task(
                record: record, folders: DomainFolders(replica: folder + "/replica", place: place),
                socket: folder + "/socket", boot: "1", image: "/usr/bin/env", program: "env",
                words: ["python3", folder + "/host.py"]), device: nil, world: world
        ) { _ in }
        try await supervisor.waitForFirstStart()
        let deadline = ContinuousClock.now + .seconds(60)
        while access(place + "-serves", F_OK) != 0, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(access(place + "-serves", F_OK) == 0)
        try await supervisor.stop(atAnyCost: true)
        #expect(supervisor.stage == .stopped)
    }
}
