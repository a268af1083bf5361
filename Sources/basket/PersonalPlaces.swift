import BasketSupport
import FileProviderDaemon

/// Where things lie for whoever has started this program.
enum PersonalPlaces {
    static func find(
        _ environment: [String: String] = ProcessEnvironment.variables()
    ) throws -> ClientPlaces {
        do throws(ClientPlaces.Failure) {
            return try ClientPlaces(environment: environment)
        } catch {
            throw CommandFailure(
                "no_home", "nobody knows where your home folder is.\nSet HOME.", exitCode: .usage)
        }
    }
}
