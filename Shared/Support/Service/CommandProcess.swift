import Glibc

/// A process that does what its command line says.
package enum CommandProcess {
    /// Runs the command line, to the end of the process.
    ///
    /// The main thread only waits for signals here. With an `await` at the top level it would go to the
    /// runtime, which lets every signal through on it: the process would die of SIGTERM before anybody
    /// who waits for signals hears of one.
    package static func run(_ command: @autoclosure @escaping @Sendable () -> Command) -> Never {
        // Before any other thread begins: all of them inherit it, and this one waits for them.
        SignalSource.block()
        // What a program keeps is nobody else's, also in a folder that others may look into.
        umask(0o077)
        // The runtime wants to put its threads before others', which a person's processes may not, and would tell the
        // system's journal of each that it cannot.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        let work = Task.detached {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let code = await command().run(arguments, console: .live)
            exit(code == .interrupted ? SignalSource.status ?? code.rawValue : code.rawValue)
        }
        SignalSource.wait { work.cancel() }
    }
}
