import BasketModels
import BasketSupport

/// A content that a file has or had, in a line for people.
struct VersionText {
    private let version: VersionInfo

    init(_ version: VersionInfo) {
        self.version = version
    }

    var text: String {
        """
        \(version.version)  \(Words.left(standing, 8))  \(Words.moment(version.stored.rfc3339))  \
        \(Words.right(Words.bytes(version.size), 10))\(Self.author(version))
        """
    }

    /// Who wrote it, where that is known.
    static func author(_ version: VersionInfo) -> String {
        let device = version.device.map { "on \(Words.shown($0))" }
        let words = [version.account.map { Words.shown($0) }, device].compactMap(\.self)
        return words.isEmpty ? "" : "  \(words.joined(separator: " "))"
    }

    private var standing: String {
        switch version.standing {
        case .current: "present"
        case .earlier: "earlier"
        case .conflict: "conflict"
        }
    }
}
