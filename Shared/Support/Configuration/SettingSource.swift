/// Where a value came from, for whoever wonders why it is in force.
package enum SettingSource: Sendable, Equatable, CustomStringConvertible {
    case builtIn
    case file(path: String, line: Int)
    case environment(String)
    case flag(String)

    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let variable): variable
        case .flag(let flag): flag
        }
    }
}
