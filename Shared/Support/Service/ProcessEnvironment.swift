import CLinux

/// The variables that the process was started with. Read once, in `main`, and passed along.
package enum ProcessEnvironment {
    package static func variables() -> [String: String] {
        var found: [String: String] = [:]
        var next = basket_environment()
        while let pointer = next, let entry = pointer.pointee {
            let parts = String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            next = pointer + 1
        }
        return found
    }
}
