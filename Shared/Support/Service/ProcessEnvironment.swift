import CLinux
import Foundation

/// The variables that the process was started with. Read once, in `main`, and passed along.
package enum ProcessEnvironment {
    package static func variables() -> [String: String] {
        var found: [String: String] = [:]
        var next = basket_environment()
        while let pointer = next, let entry = pointer.pointee {
            note(String(cString: entry), in: &found)
            next = pointer + 1
        }
        return found
    }

    /// Those that another process of the same person was started with; nil where it is none, or has gone.
    package static func variables(ofProcess number: Int32) -> [String: String]? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/environ") else {
            return nil
        }
        var found: [String: String] = [:]
        for entry in bytes.split(separator: 0) {
            note(String(decoding: entry, as: UTF8.self), in: &found)
        }
        return found
    }

    private static func note(_ entry: String, in found: inout [String: String]) {
        let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
    }
}
