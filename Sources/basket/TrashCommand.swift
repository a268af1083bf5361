import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport

/// `basket trash`
enum TrashCommand {
    static let command = Command(
        "trash", summary: "What lies in a domain's trash; bring something back, or empty it.",
        details: """
            What is emptied is kept by the server for a while: ‘basket restore --deleted-since’ brings it back.
            """,
        examples: [
            Command.Example("basket trash", "What lies in it, and where each was."),
            Command.Example("basket trash --restore report.odt", "Back to where it was."),
            Command.Example("basket trash Work --empty", "All of it goes."),
        ],
        options: [
            CommandOption(
                "restore", placeholder: "NAME", help: "Bring back what is called so in the trash."),
            CommandOption("empty", help: "Delete all that lies in it."), Options.json,
        ],
        arguments: [Options.domain], exits: [.notFound, .conflict, .unreachable, .forbidden],
        body: run)

    /// Something in the trash, as scripts see it.
    private struct Entry: Codable {
        var identifier: String
        var name: String
        var kind: String
        var size: Int64?
        var trashed: String?
        /// The folder that it was in; nil where that is gone.
        var from: String?

        init(_ item: ItemInfo, from folder: String?) {
            identifier = item.id
            name = item.name
            kind = item.kind.word
            size = item.size
            trashed = item.trashed?.rfc3339
            from = folder
        }

        var text: String {
            let size = self.size.map { Words.bytes($0) } ?? kind
            let moment = trashed.map { Words.moment($0) } ?? ""
            let home = from.map { "from \(Words.path($0))" } ?? "its folder is gone"
            return "\(moment)  \(Words.right(size, 10))  \(Words.shown(name))  (\(home))"
        }
    }

    /// What scripts see of an item that came back.
    private struct Restored: Codable {
        var identifier: String
        var path: String?
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let server = try await ReachedServer(
            of: reach.domain(invocation.argument("DOMAIN")))
        let asJSON = invocation.has("json")
        guard !invocation.has("empty") else {
            guard invocation.value("restore") == nil else {
                throw CommandFailure(
                    "bad_choice", "--restore and --empty exclude each other.\nChoose one.",
                    exitCode: .usage)
            }
            try await server.ask { server throws(ConnectionError) in try await server.emptyTrash() }
            await reach.lookAgain(server.domain)
            if asJSON { console.print("{}") }
            return .success
        }
        let items = try await server.ask { server throws(ConnectionError) in
            try await server.trashed()
        }
        if let name = invocation.value("restore") {
            let path = try await restore(choose(name, among: items), server)
            await reach.lookAgain(server.domain)
            if asJSON {
                console.print(JSONText.line(path))
            } else {
                console.print(path.path.map { Words.path($0) } ?? Words.shown(name))
            }
            return .success
        }
        try await list(items, server) { try console.list(asJSON ? JSONText.line($0) : $0.text) }
        if items.isEmpty, !asJSON { console.say("The trash is empty.") }
        return .success
    }

    private static func list(
        _ items: [ItemInfo], _ server: ReachedServer, _ print: (Entry) throws -> Void
    ) async throws {
        var homes: [String: String?] = [:]
        for item in items {
            var home: String?
            if let folder = item.trashedFrom {
                if let known = homes[folder] {
                    home = known
                } else {
                    home = try await server.ask { server throws(ConnectionError) in
                        try await server.path(of: folder)
                    }
                    homes[folder] = .some(home)
                }
            }
            try print(Entry(item, from: home))
        }
    }

    private static func choose(_ name: String, among items: [ItemInfo]) throws -> ItemInfo {
        let found = items.filter { $0.name == name || $0.id == name }
        if found.count == 1 { return found[0] }
        guard let first = found.first else {
            throw CommandFailure(
                "no_such_item",
                "nothing in the trash is called ‘\(Words.shown(name))’.\n‘basket trash’ lists what there is.",
                exitCode: .notFound)
        }
        throw CommandFailure(
            "several_items",
            "several things in the trash are called so.\nName one by its identifier, which --json shows: --restore \(first.id)",
            exitCode: .conflict)
    }

    private static func restore(
        _ item: ItemInfo, _ server: ReachedServer
    ) async throws -> Restored {
        let path = try await server.ask { server throws(ConnectionError) in
            let restored = try await server.restore(item.id)
            return try await server.path(of: restored.id)
        }
        return Restored(identifier: item.id, path: path)
    }
}
