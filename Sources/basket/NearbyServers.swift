import BasketDiscovery
import BasketSupport

/// The servers that answer on the local network.
struct NearbyServers: Sendable {
    /// More are not named in one sentence.
    private static let mostNamed = 8

    let list: [NearbyServer]

    /// - Parameter time: how long it is listened; nil until who is there has answered.
    static func find(_ world: World, for time: Duration? = nil) async throws -> NearbyServers {
        do {
            let found = try await ServerBrowser(world: world).find(
                within: time ?? ServerBrowser.usualPatience, toTheEnd: time != nil)
            let knowsNames = ServerBrowser.knowsNames
            return NearbyServers(
                list: found.compactMap { NearbyServer($0, knowsNames: knowsNames) })
        } catch let error as DiscoveryError {
            throw CommandFailure(error)
        }
    }

    /// Those there are, for somebody who has named none; none where nobody can look for them.
    static func forWhoNamesNone(_ world: World) async throws -> NearbyServers {
        do {
            return try await find(world)
        } catch let failure as CommandFailure where failure.exitCode == .noService {
            return NearbyServers(list: [])
        }
    }

    /// The address of the only one, if somebody says that it is meant. Nobody is connected to what merely was there.
    func chosen() throws -> String {
        if list.count == 1 {
            let question = "On this network there is \(list[0].phrase).\nIs that the one? (yes/no) "
            if Terminal()?.ask(question)?.lowercased() == "yes" { return list[0].address }
        }
        throw CommandFailure("no_server", sentence, exitCode: .usage)
    }

    private var sentence: String {
        guard !list.isEmpty else {
            return
                "which server has the domain? On this network none is found.\nName it: --server ADDRESS"
        }
        let named = list.prefix(Self.mostNamed).map(\.phrase).joined(separator: ", ")
        let others = list.count > Self.mostNamed ? ", and others: ‘basket discover’" : ""
        return
            "which server has the domain? On this network there is \(named)\(others).\nName it: --server ADDRESS"
    }
}

extension CommandFailure {
    fileprivate init(_ error: DiscoveryError) {
        switch error {
        case .notRunning:
            self.init(
                "no_avahi",
                "nobody can look for servers here: Avahi does not run.\nInstall it (‘apt install avahi-daemon’), or name the server: basket connect Work --server ADDRESS",
                exitCode: .noService)
        case .refused(let why):
            self.init(
                "avahi_refuses",
                "Avahi does not look for servers: \(Words.shown(why)).\n‘systemctl status avahi-daemon’ may tell more.",
                exitCode: .noService)
        }
    }
}
