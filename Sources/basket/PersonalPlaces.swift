import BasketSupport
import FileProviderDaemon
import Glibc

/// Where things lie for whoever has started this program.
enum PersonalPlaces {
    static func find(
        _ environment: [String: String] = ProcessEnvironment.variables()
    ) throws -> ClientPlaces {
        do throws(ClientPlaces.Failure) {
            return try ClientPlaces(environment: environment, runtime: runtime)
        } catch {
            throw CommandFailure(
                "no_home", "nobody knows where your home folder is.\nSet HOME.", exitCode: .usage)
        }
    }

    /// Where the service manager keeps sockets of a person who is logged in, or for whom it works in any case.
    private static var runtime: String? {
        let folder = "/run/user/\(geteuid())"
        var facts = stat()
        guard stat(folder, &facts) == 0, facts.st_uid == geteuid() else { return nil }
        return folder
    }
}
