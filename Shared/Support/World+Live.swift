import CLinux
import Glibc

extension World {
    /// The machine's time of day, for a log that is made before its world.
    package static let wallClock: @Sendable () -> Timestamp = { read(CLOCK_REALTIME) }

    /// Started when it is first needed, for as long as the process lives.
    private static let disk = ThreadPool(name: "disk", threads: 4)

    /// The machine's own clock, randomness and file system.
    package static func live(log: Log) -> World {
        World(
            now: wallClock,
            // It goes on while the machine sleeps, as `Task.sleep` does.
            uptime: { .nanoseconds(read(CLOCK_BOOTTIME).nanoseconds) },
            sleep: { try await Task.sleep(for: $0) },
            randomBytes: { count in
                var bytes = [UInt8](repeating: 0, count: count)
                let failure = basket_random(&bytes, count)
                precondition(failure == 0, "the kernel gives no randomness")
                return bytes
            },
            files: LinuxFileSystem(),
            blocking: disk,
            log: log,
            machine: machineName() ?? "this device")
    }
}

/// Up to the first dot: the rest is where the machine stands.
private func machineName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let bytes = name.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map(
        UInt8.init(bitPattern:))
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}

private func read(_ clock: clockid_t) -> Timestamp {
    var time = timespec()
    clock_gettime(clock, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}
