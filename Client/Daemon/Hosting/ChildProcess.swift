import BasketSupport
import CLinux
import Glibc

/// A process that was started from here.
struct ChildProcess: Sendable {
    let number: pid_t

    /// - Parameters:
    ///   - program: what it is called.
    ///   - image: where the program lies, if somewhere else.
    ///   - link: its descriptor 3.
    init(
        _ program: String, _ words: [String], image: String? = nil, link: HostLink?
    ) throws(FileError) {
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        var variables =
            ProcessEnvironment.variables().map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var number = pid_t()
        let failure = basket_start_program(
            &number, image ?? program, &arguments, &variables, link?.descriptor ?? -1)
        guard failure == 0 else { throw FileError("start", program, code: failure) }
        self.number = number
    }

    /// Waits, on this thread, for its end. Once.
    /// - Returns: how it has ended, in words; nil for well.
    func wait() -> String? {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0 {
            guard errno == EINTR else { return "nobody knows how it has ended" }
        }
        if status == 0 { return nil }
        let signal = status & 0x7f
        guard signal == 0 else { return "ended by signal \(signal)" }
        return "ended with status \(status >> 8 & 0xff)"
    }

    /// The same, for a program that does little: after some time it is killed.
    /// - Returns: its status; nil where it has not ended by itself.
    func wait(upTo patience: Duration) -> Int32? {
        let turns = Int(patience / .milliseconds(10))
        var status: Int32 = 0
        for _ in 0..<turns {
            if waitpid(number, &status, WNOHANG) == number {
                return status & 0x7f == 0 ? status >> 8 & 0xff : nil
            }
            usleep(10_000)
        }
        kill(SIGKILL)
        _ = wait()
        return nil
    }

    /// Whether it was ended, though not to the end: one of its threads waits in the kernel for what nobody can interrupt,
    /// and what the process has open stays so. Not to be called once it was waited for.
    func isStuck(_ files: any FileSystem) -> Bool {
        ProcessNumbers.state(of: number, files) == "Z"
    }

    /// Not to be called once it was waited for: its number may be another one's.
    func kill(_ signal: Int32) {
        Glibc.kill(number, signal)
    }
}
