import BasketSupport
import Glibc
import Synchronization

/// Hears from logind when the machine is about to sleep, and has it wait for a moment: what must be done before then is.
package final class SleepWatch: Sendable {
    private static let manager = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    private static let bus = "org.freedesktop.DBus"

    private let log: Log
    private let willSleep: @Sendable () -> Void
    private let didWake: @Sendable () -> Void
    /// What is written at one end is an end for who reads at the other.
    private let ends: (reading: Int32, writing: Int32)
    private let thread = Mutex<BasketSupport.Thread?>(nil)

    /// - Parameters:
    ///   - willSleep: returns when the machine may sleep; it does so after some seconds anyway.
    ///   - didWake: the machine is awake again, or has not fallen asleep.
    /// - Throws: where there is no such bus. Where nobody on it sends machines to sleep, it is waited for who does.
    package init(
        bus address: String, log: Log, willSleep: @escaping @Sendable () -> Void,
        didWake: @escaping @Sendable () -> Void
    ) throws(BusError) {
        var pipes: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw .noMemory }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        ends = (pipes[0], pipes[1])
        (self.log, self.willSleep, self.didWake) = (log, willSleep, didWake)
        let connection = try Self.connection(to: address)
        let handed = Handed(connection)
        let started = BasketSupport.Thread(name: "sleep") { [self] in
            if let connection = handed.take() { watch(connection) }
        }
        thread.withLock { $0 = started }
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    private static func connection(to address: String) throws(BusError) -> BusConnection {
        let connection = try BusConnection(to: address)
        try connection.listen(
            for:
                "type='signal',sender='\(manager)',interface='\(interface)',member='PrepareForSleep'"
        )
        try connection.listen(
            for: "type='signal',sender='\(bus)',member='NameOwnerChanged',arg0='\(manager)'")
        return connection
    }

    /// Hears nothing more, and holds nobody up.
    package func stop() {
        _ = write(ends.writing, [1], 1)
        thread.withLock { $0.take() }?.join()
    }

    private func watch(_ connection: BusConnection) {
        var lock = takeLock(connection)
        var isAsleep = false
        repeat {
            while let message = connection.next() {
                if message.isSignal(Self.interface, "PrepareForSleep"),
                    let begins = message.arguments.first?.flag
                {
                    if begins == isAsleep { continue }
                    isAsleep = begins
                    if begins { willSleep() } else { didWake() }
                } else if message.isSignal(Self.bus, "NameOwnerChanged") {
                    // Another one does not know of what the one before had given, nor that it had sent anybody to sleep.
                    if message.arguments.last?.text?.isEmpty != false { continue }
                    if isAsleep { didWake() }
                    isAsleep = false
                } else {
                    continue
                }
                // Letting go of it is what the machine waits for.
                lock.map { _ = close($0) }
                lock = isAsleep ? nil : takeLock(connection)
            }
        } while connection.wait(orUntil: ends.reading)
        lock.map { _ = close($0) }
        if isAsleep { didWake() }
    }

    /// As long as it is open, the machine waits before it falls asleep.
    private func takeLock(_ connection: BusConnection) -> Int32? {
        do throws(BusError) {
            let question = try BusMessage(to: Self.manager, Self.path, Self.interface, "Inhibit")
                .with(
                    .text("sleep"), .text("Basket"),
                    .text("Programs that wait for files are let go"), .text("delay"))
            guard let lock = try connection.call(question).descriptor else { throw .badAnswer }
            return lock
        } catch {
            log.debug("nobody tells when the machine falls asleep", ["reason": .text("\(error)")])
            return nil
        }
    }

    /// The connection on its way to the thread that has it from then on.
    private final class Handed: @unchecked Sendable {
        // Unchecked: it is put there before the thread begins, and taken by that alone.
        private var connection: BusConnection?

        init(_ connection: BusConnection) { self.connection = connection }

        func take() -> BusConnection? { connection.take() }
    }
}
