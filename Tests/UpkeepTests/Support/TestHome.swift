import BasketSupport

/// A folder of its own, gone with this object.
final class TestHome: Sendable {
    let path: String

    init() throws {
        let world = World.live(log: .silent)
        // Memory, where there is some to write to: nothing here is about a machine that stops.
        let base = world.files.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(base)/basket-upkeep-\(world.randomUInt64())"
        try world.files.makeFolder(path)
    }

    deinit {
        TestHome.remove(path)
    }

    private static func remove(_ path: String) {
        let files = LinuxFileSystem()
        for name in (try? files.list(path)) ?? [] { remove("\(path)/\(name)") }
        try? files.remove(path)
    }
}
