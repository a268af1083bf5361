import BasketSupport
import FileProviderDaemon
import Glibc

/// What is still mounted of domains, and nobody answers for.
struct DeadMountsCheck: Check {
    let places: ClientPlaces
    let domains: [HostedDomainState]
    let world: World

    func findings() async -> [Finding] {
        let table: MountTable
        do {
            table = try MountTable(world.files)
        } catch {
            return [
                Finding(
                    "dead-mounts", .warning, "Nobody knows what is mounted: \(error).",
                    remedy: "Look yourself: ‘findmnt -t fuse.basket’.")
            ]
        }
        // The kernel knows them by what links lead to.
        let served = Set(
            domains.filter { $0.state == .serving }.compactMap(\.folder).flatMap {
                [$0, places.foldersWithoutLinks + $0.dropFirst(places.folders.count)]
            })
        var found: [Finding] = []
        let folders = table.domains(in: places.foldersWithoutLinks).map(\.folder)
        for folder in folders where !served.contains(folder) {
            if let finding = Self.judge(await MountAnswer.ask(folder, world), folder) {
                found.append(finding)
            }
        }
        return found.isEmpty
            ? [Finding("dead-mounts", .fine, "No dead mount is left.")] : found
    }

    /// Nil for one that is alive after all, such as that of a domain which is just being started.
    static func judge(_ answer: MountAnswer, _ folder: String) -> Finding? {
        if case .volume = answer { return nil }
        return Finding(
            "dead-mounts", .wrong, "\(folder) is still mounted, and nobody answers for it.",
            remedy: "A daemon that starts takes it away; so does ‘fusermount3 -uz \(folder)’.")
    }
}
