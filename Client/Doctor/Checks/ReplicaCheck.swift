import FileProviderDaemon
import FileProviderHost

/// Whether all that is stored here of a domain agrees.
struct ReplicaCheck: Check {
    let domain: HostedDomainState
    /// Whether every item is read, too, and not the databases alone.
    let isDeep: Bool

    func findings() async -> [Finding] {
        guard let socket = domain.socket else { return [] }
        do {
            var request = ControlRequest(.check)
            request.isQuick = !isDeep
            let problems = try await ControlClient(socket).ask(
                request, for: Listed<ProblemEntry>.self, within: isDeep ? nil : Self.patience)
            return judge(problems.entries.map { ($0.path, $0.problem) })
        } catch ControlClient.Failure.silent {
            return [silence]
        } catch {
            return [
                Finding(
                    "replica", .wrong, domain: domain.name,
                    "‘\(domain.name)’ cannot be looked through: \(error).",
                    remedy: "Ask again once it is served: ‘basket check \(domain.name)’.")
            ]
        }
    }

    /// The databases of very many items take some seconds.
    private static let patience = Duration.seconds(60)

    private var silence: Finding {
        Finding(
            "replica", .wrong, domain: domain.name,
            "The host of ‘\(domain.name)’ does not answer.",
            remedy:
                "Its disk may be slow, or what it waits for away: the daemon's log may say more. ‘systemctl --user restart basket’ begins anew."
        )
    }

    func judge(_ problems: [(path: String?, problem: String)]) -> [Finding] {
        guard !problems.isEmpty else {
            return [
                Finding(
                    "replica", .fine, domain: domain.name,
                    isDeep
                        ? "All that is stored of ‘\(domain.name)’ agrees."
                        : "The databases of ‘\(domain.name)’ are whole.")
            ]
        }
        return problems.map { path, problem in
            Finding(
                "replica", .damaged, domain: domain.name,
                "\(path.map { $0.isEmpty ? "/: " : "\($0): " } ?? "")\(problem)",
                remedy:
                    "What is on the server is safe; copy what only this device has, then connect ‘\(domain.name)’ anew."
            )
        }
    }
}
