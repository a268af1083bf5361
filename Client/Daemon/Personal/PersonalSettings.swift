import BasketSupport
import FileProviderHost
import Synchronization

/// What a person has set for all of their domains on this machine: in a file, or in the environment of the daemon.
package enum PersonalSettings {
    private static let most = Setting<ByteCount?>(
        "cache-most", default: nil,
        help: """
            How much room downloads may take in each domain. What only this machine has, what is pinned and what is in \
            use counts, and stays.
            """)
    private static let unused = Setting<Duration?>(
        "cache-unused", default: nil,
        help: "Downloads that nobody has opened for so long go.")
    private static let free = Setting<ByteCount>(
        "cache-free", default: ByteCount(bytes: ContentLimits().leastFree),
        help: """
            How much of the disk downloads leave to everything else, but no more than a twentieth of it.
            """)
    private static let without = Setting<[String]>(
        "no-downloads-for", default: [],
        help:
            "Programs for which nothing is downloaded, besides known indexers, virus scanners and thumbnailers.",
        placeholder: "PROGRAM")
    private static let unitsWithout = Setting<[String]>(
        "no-downloads-for-unit", default: [],
        help: "The same for all programs of a service of systemd's.", placeholder: "UNIT")
    private static let with = Setting<[String]>(
        "downloads-for", default: [],
        help: "Programs for which everything is downloaded that they read, though they are such.",
        placeholder: "PROGRAM")

    private static let table = SettingTable([most, unused, free, without, unitsWithout, with])
    private static let longestFile = 1 << 20

    /// What each setting means, a paragraph for each.
    package static var help: String {
        table.settings.map { "\($0.name): \($0.help)" }.joined(separator: "\n\n")
    }

    /// All that can be set, with what is in force and where that is said.
    ///
    /// - Parameter path: where the file is; that there is none is no error.
    /// - Throws: `ConfigurationError` and `FileError` for what cannot be read.
    package static func entries(
        at path: String, _ environment: [String: String]
    ) throws -> [Configuration.Entry] {
        try configuration(at: path, environment).entries
    }

    /// What is in force.
    package static func choices(
        at path: String, _ environment: [String: String]
    ) throws -> PersonalChoices {
        let configuration = try configuration(at: path, environment)
        var choices = PersonalChoices()
        choices.limits.most = configuration[most]?.bytes
        choices.limits.longestUnused = configuration[unused]
        choices.limits.leastFree = configuration[free].bytes
        choices.programsWithoutDownloads = configuration[without]
        choices.unitsWithoutDownloads = configuration[unitsWithout]
        choices.programsWithDownloads = configuration[with]
        return choices
    }

    /// What a host asks again and again: nil where it cannot be read, which is said once.
    package static func reader(
        at path: String, log: Log,
        _ environment: [String: String] = ProcessEnvironment.variables()
    ) -> @Sendable () -> PersonalChoices? {
        let said = Saying()
        return {
            do {
                let choices = try choices(at: path, environment)
                said.reason.withLock { $0 = nil }
                return choices
            } catch {
                let reason = "\(error)"
                let isNew = said.reason.withLock { last in
                    defer { last = reason }
                    return last != reason
                }
                if isNew {
                    log.warning(
                        "the settings cannot be read, and stay as they were",
                        ["reason": .text(reason)])
                }
                return nil
            }
        }
    }

    /// Why they could not be read last.
    private final class Saying: Sendable {
        let reason = Mutex<String?>(nil)
    }

    private static func configuration(
        at path: String, _ environment: [String: String]
    ) throws -> Configuration {
        let contents: [UInt8]
        do throws(FileError) {
            contents = try Pipe.contents(of: path, upTo: longestFile)
        } catch  where error.isMissing {
            return try table.resolve(environment: environment)
        }
        return try table.resolve(
            environment: environment, file: ConfigurationFile(path: path, contents: contents))
    }
}
