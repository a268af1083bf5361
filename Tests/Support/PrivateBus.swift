import BasketSupport
import Foundation
import Glibc

/// A message bus that nobody else uses.
package final class PrivateBus {
    private let daemon: pid_t
    private let folder: String
    package var address: String { "unix:path=\(folder)/bus" }

    /// Whether there is the program for it.
    package static var isPossible: Bool { access(program, X_OK) == 0 }

    private static let program = "/usr/bin/dbus-daemon"

    private static func settings(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
        </busconfig>
        """
    }

    package init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/basket-bus-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        let file = folder + "/settings.xml"
        try Self.settings(folder).write(toFile: file, atomically: true, encoding: .utf8)
        daemon = try Self.start(["--config-file=\(file)", "--nofork", "--nopidfile", "--nosyslog"])
        let deadline = Date(timeIntervalSinceNow: 10)
        while !Self.isHeard(at: folder + "/bus"), Date() < deadline { usleep(10_000) }
    }

    /// Its socket is there for a moment before it listens.
    private static func isHeard(at path: String) -> Bool {
        guard let place = UnixAddress(path) else { return false }
        let caller = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(caller) }
        return place.withPointer { connect(caller, $0, $1) == 0 }
    }

    private static func start(_ arguments: [String]) throws -> pid_t {
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let failure = posix_spawn(&number, program, nil, nil, words, environ)
        guard failure == 0 else { throw FileError("start", program, code: failure) }
        return number
    }

    deinit {
        kill(daemon, SIGKILL)
        waitpid(daemon, nil, 0)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
