import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport

/// `basket restore`
enum RestoreCommand {
    static let command = Command(
        "restore", summary: "Bring back what a file held before, or what was deleted.",
        details: """
            Without a version it is the one before the present one, which itself becomes an earlier one: done twice, \
            it is undone.

            With --deleted-since, everything in the domain comes back that was deleted since, to where it was, but for \
            files that were written anew under their names; ‘basket trash --restore’ brings back one item of the trash.
            """,
        examples: [
            Command.Example("basket restore report.odt", "As it was before."),
            Command.Example(
                "basket restore report.odt --version 1wqfq8k34vh9",
                "One that ‘basket versions’ has named."),
            Command.Example(
                "basket restore ~/Basket/Work --deleted-since 2h --this-device",
                "What this device deleted within the last two hours."),
        ],
        options: [
            CommandOption("version", placeholder: "VERSION", help: "Which one."),
            CommandOption(
                "deleted-since", placeholder: "TIME",
                help: "A moment such as 2026-11-20T09:30:00Z, or how long ago: 30m, 2h, 7d."),
            CommandOption(
                "this-device", help: "Only what this device deleted; with --deleted-since."),
            CommandOption(
                "all",
                help:
                    "Also files whose names others have by now, under other names; with --deleted-since."
            ),
            Options.json,
        ],
        arguments: [
            CommandArgument("ITEM", help: "Its path; with --deleted-since, that of the domain.")
        ],
        exits: [.notFound, .conflict, .unreachable, .forbidden], body: run)

    /// What scripts see of a version that came back.
    private struct Restored: Codable {
        /// What it is called as the present one.
        var version: String
        /// Which one it was.
        var from: String
    }

    /// What scripts see of what was deleted.
    private struct Undeleted: Codable {
        var restored: Int
        /// Whose names others have.
        var skipped: Int
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let since = try invocation.value("deleted-since").map(moment)
        if let since { return try await undelete(since, invocation, console) }
        for option in ["this-device", "all"] where invocation.has(option) {
            throw CommandFailure(
                "bad_choice",
                "--\(option) is about what was deleted.\nSay since when: --deleted-since 2h",
                exitCode: .usage)
        }
        let reach = try DaemonReach()
        let (server, item) = try await reach.serverItem(invocation.argument("ITEM") ?? "")
        let versions = try await server.ask { server throws(ConnectionError) in
            try await server.versions(of: item.identifier)
        }
        let chosen = try choose(among: versions, invocation.value("version"), item.path)
        let base = versions.first { $0.standing == .current }?.version
        let info = try await server.ask { server throws(ConnectionError) in
            try await server.restore(chosen.version, of: item.identifier, base: base)
        }
        await reach.lookAgain(server.domain)
        if invocation.has("json") {
            console.print(
                JSONText.line(
                    Restored(
                        version: info.contentVersion.description,
                        from: chosen.version.description)))
        } else {
            console.say(
                "\(Words.path(item.path)) holds what it held at \(Words.moment(chosen.stored.rfc3339))."
            )
        }
        return .success
    }

    private static func choose(
        among versions: [VersionInfo], _ name: String?, _ path: String
    ) throws -> VersionInfo {
        let current = versions.first { $0.standing == .current }
        let chosen =
            if let name {
                versions.first { $0.version.description == name }
            } else {
                versions.first { $0.standing == .earlier && $0.sha256 != current?.sha256 }
            }
        if let chosen { return chosen }
        let what = name.map { "no version ‘\(Words.shown($0))’" } ?? "no earlier version"
        throw CommandFailure(
            "version_not_available",
            "there is \(what) of \(Words.path(path)).\n‘basket versions’ lists those there are.",
            exitCode: .notFound)
    }

    private static func undelete(
        _ since: Timestamp, _ invocation: Invocation, _ console: Console
    ) async throws -> ExitCode {
        guard invocation.value("version") == nil else {
            throw CommandFailure(
                "bad_choice", "--version and --deleted-since exclude each other.\nChoose one.",
                exitCode: .usage)
        }
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("ITEM"))
        let server = try await ReachedServer(of: domain)
        let isOwn = invocation.has("this-device")
        let isAll = invocation.has("all")
        let answer = try await server.ask { server throws(ConnectionError) in
            try await server.undelete(
                since: since, by: isOwn ? server.device : nil, isAll: isAll)
        }
        let skipped = answer.skipped ?? 0
        await reach.lookAgain(domain)
        if invocation.has("json") {
            console.print(JSONText.line(Undeleted(restored: answer.restored, skipped: skipped)))
        } else {
            console.say(Words.count(answer.restored, "item has", "items have") + " come back.")
            if skipped > 0 {
                let files = Words.count(skipped, "file stays", "files stay")
                console.say(
                    "\(files) deleted, written anew under the same name: --all brings them back as well."
                )
            }
        }
        return .success
    }

    private static func moment(_ text: String) throws -> Timestamp {
        if let moment = Timestamp(rfc3339: text) { return moment }
        guard let ago = try? Duration.read(text) else {
            throw CommandFailure(
                "bad_deleted-since",
                "‘\(Words.shown(text))’ is no moment.\nWrite 2026-11-20T09:30:00Z, or how long ago: 30m, 2h, 7d.",
                exitCode: .usage)
        }
        return World.wallClock() - ago
    }
}
