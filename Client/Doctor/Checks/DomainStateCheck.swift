import FileProviderDaemon

/// Whether a domain is hosted.
struct DomainStateCheck: Check {
    let domain: HostedDomainState

    func findings() async -> [Finding] { [finding] }

    var finding: Finding {
        let name = "The domain ‘\(domain.name)’"
        let reason = domain.reason ?? "nobody knows why"
        func found(_ verdict: Finding.Verdict, _ message: String, _ remedy: String? = nil)
            -> Finding
        {
            Finding("domain", verdict, domain: domain.name, message, remedy: remedy)
        }
        return switch domain.state {
        case .serving: found(.fine, "\(name) is served.")
        case .disabled: found(.fine, "\(name) is switched off.")
        case .starting:
            found(
                .warning, "\(name) is only just being started.",
                "Ask again in a moment.")
        case .failing:
            found(
                .wrong, "\(name) does not come up: \(reason).",
                "The daemon goes on trying, and its log says more: ‘journalctl --user -u basket’.")
        case .unreadable:
            found(
                .damaged, "The record of \(domain.name) cannot be read: \(reason).",
                "Nothing of it was touched. Keep a copy of its folder before you do anything.")
        }
    }
}
