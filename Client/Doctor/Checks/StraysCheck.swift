import BasketSupport
import FileProviderDaemon

/// What was written to a domain's folder while nothing was mounted there: nobody else has it.
struct StraysCheck: Check {
    let domain: HostedDomainState
    let files: any FileSystem

    func findings() async -> [Finding] {
        guard let place = domain.folder else { return [] }
        return StrayFiles.asides(of: place, files).map { folder in
            Finding(
                "strays", .warning,
                "“\(domain.name)”: what was written while nothing was mounted is in \(folder), and nobody else has it.",
                remedy: "Move into the domain what is to be kept, and remove the rest.")
        }
    }
}
