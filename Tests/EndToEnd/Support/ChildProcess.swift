import BasketSupport
import Glibc
import Synchronization

/// A program that runs beside the tests: what it writes is collected, and it never outlives them.
final class ChildProcess: Sendable {
    /// How it ended.
    enum Ending: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    let number: pid_t
    let output: ProcessOutput
    let errors: ProcessOutput
    private let ending = Mutex<Ending?>(nil)

    /// - Parameters:
    ///   - environment: besides the tests' own, without what would set a server, or lead to a keyring of whoever
    ///     runs them.
    ///   - input: what it reads from its standard input.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        input: String = ""
    ) throws {
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = Self.variables(environment).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        // One at a time: another process must not inherit these pipes before they are marked.
        let started = try Self.spawning.withLock { _ in
            try Self.spawn(program, words, variables)
        }
        number = started.number
        output = ProcessOutput(started.output)
        errors = ProcessOutput(started.errors)
        let bytes = Array(input.utf8)
        // A pipe holds 64 KiB; nobody here says more.
        if !bytes.isEmpty { _ = write(started.input, bytes, bytes.count) }
        close(started.input)
    }

    private struct Started {
        var number: pid_t = 0
        var output: CInt = -1
        var errors: CInt = -1
        var input: CInt = -1
    }

    private static let spawning = Mutex(())

    private static func spawn(
        _ program: String, _ words: [UnsafeMutablePointer<CChar>?],
        _ variables: [UnsafeMutablePointer<CChar>?]
    ) throws -> Started {
        let (input, output, errors) = (try makePipe(), try makePipe(), try makePipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        var started = Started()
        let failure = posix_spawn(&started.number, program, &actions, nil, words, variables)
        for end in [input.reading, output.writing, errors.writing] { close(end) }
        (started.input, started.output, started.errors) =
            (input.writing, output.reading, errors.reading)
        guard failure == 0 else {
            for end in [started.input, started.output, started.errors] { close(end) }
            throw Failure("\(program) does not start: \(failure)")
        }
        return started
    }

    private static func makePipe() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("no pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    deinit {
        if ending.withLock({ $0 }) == nil {
            signal(SIGKILL)
            wait(upTo: .seconds(10))
        }
    }

    func signal(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { kill(number, signal) }
        }
    }

    /// How it ended; nil when it goes on after that long.
    @discardableResult
    func wait(upTo limit: Duration = .seconds(60)) -> Ending? {
        if let known = ending.withLock({ $0 }) { return known }
        // Its pipes close when it ends, and can be waited for with a limit.
        guard errors.waitForEnd(upTo: limit), output.waitForEnd(upTo: limit) else { return nil }
        return ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
            return ending
        }
    }

    private static func variables(_ added: [String: String]) -> [String] {
        let own = ProcessEnvironment.variables().filter {
            !$0.key.hasPrefix("BASKET_") && !$0.key.hasPrefix("LISTEN_")
                && !$0.key.hasPrefix("DBUS_") && $0.key != "NOTIFY_SOCKET"
        }
        return own.merging(added) { $1 }.map { "\($0.key)=\($0.value)" }
    }
}
