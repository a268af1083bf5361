/// All that Basket may ask of what lies outside it. Live in the programs, simulated in tests.
package struct World: Sendable {
    /// The time of day. It may jump: deadlines are measured with `uptime`.
    package var now: @Sendable () -> Timestamp
    /// Time since some moment, never running backwards.
    package var uptime: @Sendable () -> Duration
    /// Returns after the duration, or throws at once when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// That many unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Begins work that nobody waits for, and that may be cancelled.
    package var spawn: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
    package var files: any FileSystem
    /// Threads that may wait for a disk without keeping others from theirs; nil where nothing waits.
    package var blocking: (any TaskExecutor)?
    package var log: Log
    /// What people call this machine.
    package var machine: String

    package init(
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        spawn: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never> = {
            work in Task { await work() }
        },
        files: any FileSystem,
        blocking: (any TaskExecutor)? = nil,
        log: Log,
        machine: String = "machine"
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.randomBytes = randomBytes
        self.spawn = spawn
        self.files = files
        self.blocking = blocking
        self.log = log
        self.machine = machine
    }

    /// Does what may wait for a disk for long: copies of large files, and all that makes much durable.
    package func aside<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let blocking else { return try await body() }
        return try await withTaskExecutorPreference(blocking) {
            // A task follows its preference from where it goes on.
            await Task.yield()
            return try await body()
        }
    }

    package func randomUInt64() -> UInt64 {
        randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
