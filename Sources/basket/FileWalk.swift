import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// Finds the files below folders whose bytes are not here.
struct FileWalk {
    /// How long a folder's list may take to come, and how often it is looked at meanwhile.
    private static let patience = Duration.seconds(60)
    private static let interval = Duration.milliseconds(200)

    private let reach: DaemonReach
    private let domain: HostedDomainState
    private let world = World.live(log: .silent)

    init(_ reach: DaemonReach, _ domain: HostedDomainState) {
        self.reach = reach
        self.domain = domain
    }

    /// The item itself where it is a file; else those below, for which folders that nobody has looked into are listed.
    func filesToCome(from item: ControlItem) async throws -> [ControlItem] {
        let start = try await reach.glance(at: item, in: domain)
        guard start.state.item.kind == "folder" else { return Self.hasToCome(start) ? [item] : [] }
        var files: [ControlItem] = []
        var folders = [item]
        while let folder = folders.popLast() {
            try await requireList(of: folder)
            _ = try await reach.eachChild(of: folder, in: domain) { child in
                let item = ControlItem(path: child.state.item.path)
                if child.state.item.kind == "folder" { folders.append(item) }
                if Self.hasToCome(child) { files.append(item) }
            }
        }
        return files
    }

    private static func hasToCome(_ child: ChildState) -> Bool {
        child.state.item.kind == "file" && child.residence != .whole
    }

    private func requireList(of folder: ControlItem) async throws {
        if try await reach.glance(at: folder, in: domain).residence == .whole { return }
        _ = try await reach.ask(
            domain, ControlRequest(.download, items: [folder]), for: ControlDone.self)
        let deadline = world.uptime() + Self.patience
        while try await reach.glance(at: folder, in: domain).residence != .whole {
            guard world.uptime() < deadline else {
                throw CommandFailure(
                    "unreachable",
                    "\(Words.path(folder.path ?? "")) cannot be listed.\n‘basket status’ tells why.",
                    exitCode: .unreachable)
            }
            try await world.sleep(Self.interval)
        }
    }
}
