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

    /// Where a daemon of somebody who is logged in listens, or of whom the service manager looks after in any case. Where none
    /// does, nobody may be logged in for long, and the folder goes with them.
    private static var runtime: String? {
        let folder = "/run/user/\(geteuid())"
        var facts = stat()
        guard stat(folder + "/basket/daemon.sock", &facts) == 0, facts.st_uid == geteuid() else {
            return nil
        }
        return folder
    }
}
