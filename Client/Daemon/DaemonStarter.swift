import BasketSupport
import CLinux
import Glibc

/// Starts a daemon where nobody else does.
package struct DaemonStarter: Sendable {
    private static let unit = "basket.service"
    private static let shell = "/bin/sh"
    /// Behind it nobody waits for the daemon, no terminal takes it along, and it keeps no folder in use.
    private static let script = "cd / && exec setsid \"$0\" daemon </dev/null >>\"$1\" 2>&1 &"

    private let places: ClientPlaces
    private let program: String
    private let files: any FileSystem

    /// - Parameter program: this program: it is started with `daemon`.
    package init(places: ClientPlaces, program: String, files: any FileSystem) {
        self.places = places
        self.program = program
        self.files = files
    }

    /// Has one started: by the person's service manager where that knows how, else by itself. It may take a moment until
    /// it is there.
    package func start() throws {
        if isKnownToServiceManager, run("systemctl", ["--user", "start", Self.unit]) { return }
        try files.makeFolder(LinuxFileSystem.folder(of: places.log))
        guard run(Self.shell, ["-c", Self.script, program, places.log]) else {
            throw FileError("start", program, code: ECHILD)
        }
    }

    /// It only starts what is this very program.
    private var isKnownToServiceManager: Bool {
        run(
            Self.shell,
            [
                "-c", "systemctl --user cat \(Self.unit) 2>/dev/null | grep -qF \"ExecStart=$0 \"",
                program,
            ])
    }

    /// - Returns: whether it has ended well.
    private func run(_ program: String, _ words: [String]) -> Bool {
        guard let path = Self.path(of: program),
            let child = try? ChildProcess(path, words, link: nil)
        else { return false }
        return child.wait() == nil
    }

    private static func path(of program: String) -> String? {
        if program.hasPrefix("/") { return program }
        return ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }
}
