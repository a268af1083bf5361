import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport
import FileProviderDaemon

/// Whether a domain's server is reached, is the one that was agreed on, knows this device, and has the same time.
struct ServerCheck: Check {
    /// More, and what is newer is a guess, and certificates are not valid yet, or not any more.
    private static let mostDifference = Duration.seconds(60)

    let domain: HostedDomainState
    /// This program's.
    let version: String
    let world: World

    func findings() async -> [Finding] {
        let server: DomainServer
        do throws(DomainServer.Failure) {
            server = try await DomainServer(
                info: domain.info, keyring: DesktopKeyring.own(world.files), world: world)
        } catch {
            return [judge(error)]
        }
        var found: [Finding] = []
        do throws(ConnectionError) {
            let greeting = try await server.greeting()
            // With another one it would not have been asked.
            let isSecure = server.address.hasPrefix("https:")
            let certificate = isSecure ? ", with a certificate that is trusted" : ""
            found.append(
                finding(
                    "server", .fine,
                    "\(server.address) answers (Basket \(greeting.version))\(certificate)."
                ))
            found.append(judge(serverVersion: greeting.version))
            if let ahead = greeting.ahead { found.append(judge(clockAhead: ahead)) }
            try await server.requireDomain()
            found.append(finding("log-in", .fine, "The log-in is valid."))
        } catch {
            found.append(judge(error, at: server.address))
        }
        return found
    }

    /// Both go on working with others of the same interface: it is said so that nobody looks for what the older one cannot.
    func judge(serverVersion theirs: String) -> Finding {
        func parts(_ text: String) -> [Int]? {
            let parts = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) }
            return parts.contains(nil) || parts.count < 2 ? nil : parts.compactMap(\.self)
        }
        // What only mends things is no difference.
        guard let server = parts(theirs)?.prefix(2), let own = parts(version)?.prefix(2),
            server != own
        else {
            return finding(
                "versions", .fine,
                "The server (\(theirs)) and this program (\(version)) go together.")
        }
        let isServerOlder = server.lexicographicallyPrecedes(own)
        return finding(
            "versions", .warning,
            "The server is of version \(theirs), and this program of \(version).",
            isServerOlder
                ? "What is new here may need a newer server: ask whoever runs it."
                : "Bring this program up to date, as it was installed.")
    }

    func judge(_ failure: DomainServer.Failure) -> Finding {
        let again = "Log in again: ‘basket connect \(domain.name)’."
        return switch failure {
        case .loggedOut(let address):
            finding("log-in", .wrong, "Nobody is logged in at \(address) any more.", again)
        case .unreadable(let why):
            finding("log-in", .wrong, "The log-in cannot be read: \(why)", again)
        case .hidden(let trouble):
            finding("log-in", .wrong, trouble.message, trouble.remedy)
        case .misconfigured(let what):
            finding("server", .wrong, "Its record cannot be used: \(what)", again)
        }
    }

    /// - Parameter ahead: how much later it is here.
    func judge(clockAhead ahead: Duration) -> Finding {
        let difference = ahead < .zero ? .zero - ahead : ahead
        guard difference >= Self.mostDifference else {
            return finding("clock", .fine, "It is as late here as on the server.")
        }
        let seconds = difference.components.seconds
        let amount = seconds < 600 ? "\(seconds) seconds" : "\(seconds / 60) minutes"
        return finding(
            "clock", .warning,
            "It is \(amount) \(ahead < .zero ? "earlier" : "later") here than on the server.",
            "Have both take their time from the network: ‘timedatectl set-ntp true’.")
    }

    func judge(_ error: ConnectionError, at address: String) -> Finding {
        switch error {
        case .unreachable(.certificateNotPinned), .unreachable(.certificateNotTrusted):
            return finding(
                "certificate", .wrong, error.message,
                "If it is the right one, trust it: ‘basket connect \(domain.name) --server \(address)’."
            )
        case .problem(let problem) where problem.status == 401:
            return finding(
                "log-in", .wrong, "\(address) does not take the log-in any more.",
                "Log in again: ‘basket connect \(domain.name)’.")
        case .problem(let problem) where problem.status == 403 || problem.status == 404:
            return finding(
                "log-in", .wrong,
                "\(address) does not show the domain to this account: \(error.message)",
                "Ask whoever owns it, or log in as somebody else: ‘basket connect \(domain.name)’.")
        case .unreachable:
            return finding(
                "server", .wrong, "\(address) is not reached: \(error.message)",
                "What is here can be used meanwhile; all else follows when it is reached again.")
        default:
            return finding(
                "server", .wrong, "\(address): \(error.message)", "The server's log may say more.")
        }
    }

    private func finding(
        _ check: String, _ verdict: Finding.Verdict, _ message: String, _ remedy: String? = nil
    ) -> Finding {
        Finding(
            check, verdict, domain: domain.name, "‘\(domain.name)’: \(message)", remedy: remedy)
    }
}
