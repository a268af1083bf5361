import BasketSupport
import FileProviderDaemon

/// What nobody needs any more: log-ins and sockets of domains that are not there.
struct LeftoversCheck: Check {
    /// More are not named in one line.
    private static let mostNamed = 5
    private static let credentials = "credentials"

    let places: ClientPlaces
    /// Nil where nobody knows which there are: then nothing is known to be left over.
    let domains: [HostedDomainState]?
    let files: any FileSystem

    func findings() async -> [Finding] {
        guard let domains, !domains.contains(where: { $0.state == .unreadable }) else { return [] }
        let logIns = paths(in: places.credentials, endingWith: ".json")
        let sockets = paths(in: places.sockets, endingWith: ".sock")
        let left = Self.leftovers(
            among: logIns + sockets, daemonSocket: places.daemonSocket, domains)
        return [Self.judge(left)]
    }

    /// What belongs to no domain.
    static func leftovers(
        among paths: [String], daemonSocket: String, _ domains: [HostedDomainState]
    ) -> [String] {
        let needed = Set(
            domains.compactMap(\.socket) + domains.compactMap { $0.info?[credentials] }
                + [daemonSocket])
        // A socket comes before its domain is served.
        let isQuiet = domains.allSatisfy { $0.state == .serving || $0.state == .disabled }
        return paths.filter { !needed.contains($0) && (isQuiet || !$0.hasSuffix(".sock")) }
    }

    static func judge(_ left: [String]) -> Finding {
        guard !left.isEmpty else {
            return Finding("leftovers", .fine, "Nothing is left of domains that have gone.")
        }
        let more = left.count > mostNamed ? " and \(left.count - mostNamed) more" : ""
        return Finding(
            "leftovers", .warning,
            "Something is left of domains that have gone: \(left.prefix(mostNamed).joined(separator: " "))\(more).",
            remedy: "Nobody needs it: it may be removed.")
    }

    private func paths(in folder: String, endingWith end: String) -> [String] {
        // What is not there has nothing in it.
        let names = (try? files.list(folder)) ?? []
        return names.filter { $0.hasSuffix(end) }.map { "\(folder)/\($0)" }
    }
}
