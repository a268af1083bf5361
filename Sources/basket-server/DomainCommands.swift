import BasketModels
import BasketStore
import BasketSupport

/// `basket-server domain …`
enum DomainCommands {
    static let command = Command(
        "domain", summary: "List, make, change and delete domains.",
        examples: [
            Command.Example(
                "basket-server domain list --data ~/basket", "All domains and their owners."),
            Command.Example("basket-server domain add Work --owner ann", "Make a domain for ann."),
        ],
        options: ServerOptions.common,
        exits: [.notFound, .conflict, .forbidden],
        commands: [list, add, change, reset, delete])

    private static let name = CommandArgument("NAME", help: "The domain, as its owner calls it.")
    private static let owner = CommandOption(
        "owner", placeholder: "ACCOUNT",
        help: "Whose domain is meant; ‘admin’ when nothing is said.")
    private static let quota = CommandOption(
        "quota", placeholder: "SIZE", help: "What it may hold; ‘none’ for no limit.")

    private static let list = Command(
        "list", summary: "All domains and their owners.",
        details:
            "A line for each domain: its name, its owner, how many items, how large with history.",
        examples: [Command.Example("basket-server domain list --json", "For a script.")]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console) { offline in
            let accounts = try offline.store.read { try $0.accounts() }
            for account in accounts {
                let domains = try offline.store.read { try $0.domains(of: account.number) }
                for domain in domains where domain.owner == account.number {
                    console.print(line(domain, account, asJSON: invocation.has("json")))
                }
            }
        }
    }

    private static let add = Command(
        "add", summary: "Make a domain.",
        examples: [
            Command.Example(
                "basket-server domain add Work --owner ann --case-rule portable",
                "For computers that run Windows or macOS too.")
        ],
        options: [
            owner, quota,
            CommandOption(
                "case-rule", placeholder: "posix|portable", help: "Which names it takes.",
                note: "default posix"),
            CommandOption("trash", help: "Whether it has a trash.", isNegatable: true),
        ], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "domain add") { offline in
            let text = invocation.value("case-rule") ?? CaseRule.posix.rawValue
            guard let rule = CaseRule(rawValue: text) else {
                throw CommandFailure(
                    "bad_case_rule", "‘\(text)’ is no case rule.\nIt is posix or portable.",
                    exitCode: .usage)
            }
            let identity = try identity(invocation, offline)
            let name = invocation.argument("NAME") ?? ""
            let quota = try QuotaOption.change(invocation).value
            let hasTrash = invocation.value("trash") != "no"
            try await offline.store.write(as: identity) {
                _ = try $0.createDomain(name, caseRule: rule, hasTrash: hasTrash, quota: quota)
            }
        }
    }

    private static let change = Command(
        "change", summary: "Change a domain's quota, or switch its trash on or off.",
        examples: [
            Command.Example("basket-server domain change Work --quota 1TiB", "A new limit.")
        ],
        options: [
            owner, quota,
            CommandOption("trash", help: "Whether it has a trash.", isNegatable: true),
        ], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "domain change") { offline in
            try OfflineStore.requireAny(of: ["quota", "trash"], invocation)
            var draft = DomainChange()
            draft.quota = try QuotaOption.change(invocation)
            if let trash = invocation.value("trash") { draft.hasTrash = trash == "yes" }
            let change = draft
            try await write(invocation, offline) { try $0.change($1, change) }
        }
    }

    private static let reset = Command(
        "reset-anchors", summary: "Have every client list the domain anew.",
        details: """
            For when clients show something else than the server has. Nothing is lost by it; each client \
            lists the whole domain once more, and fetches no content that it has.
            """,
        examples: [
            Command.Example(
                "basket-server domain reset-anchors Work --owner ann", "All clients of ann's Work.")
        ],
        options: [owner], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "domain reset-anchors") {
            offline in
            try await write(invocation, offline) { try $0.resetAnchors(of: $1) }
        }
    }

    private static let delete = Command(
        "delete", summary: "Delete a domain with everything in it, for good.",
        examples: [
            Command.Example("basket-server domain delete Work --yes", "There is no way back.")
        ],
        options: [owner, CommandOption("yes", help: "Needed, because there is no way back.")],
        arguments: [name]
    ) { invocation, console in
        guard invocation.has("yes") else {
            throw CommandFailure(
                "not_confirmed",
                "this deletes every file of the domain, with all versions, for good.\nAdd --yes if you mean it.",
                exitCode: .usage)
        }
        return try await OfflineStore.run(invocation, console, changing: "domain delete") {
            offline in
            try await write(invocation, offline) { try $0.deleteDomain($1) }
        }
    }

    // MARK: Parts

    private static func identity(
        _ invocation: Invocation, _ offline: OfflineStore
    ) throws -> Identity {
        let name = invocation.value("owner") ?? "admin"
        let account = try offline.store.read { try $0.account(named: name) }
        return Identity(
            account: account.number, accountName: account.name, role: account.role, device: nil,
            deviceName: "")
    }

    private static func write(
        _ invocation: Invocation, _ offline: OfflineStore,
        _ body: @escaping @Sendable (Transaction, Domain) throws -> Void
    ) async throws {
        let identity = try identity(invocation, offline)
        let name = invocation.argument("NAME") ?? ""
        try await offline.store.write(as: identity) { transaction in
            let domain = try transaction.db.domain(name, for: identity)
            guard domain.owner == identity.account else {
                throw try notItsOwner(of: domain, identity, transaction)
            }
            try body(transaction, domain)
        }
    }

    /// Members know a domain by names of their own.
    private static func notItsOwner(
        of domain: Domain, _ identity: Identity, _ transaction: Transaction
    ) throws -> CommandFailure {
        let owner = try transaction.db.accounts().first { $0.number == domain.owner }?.name ?? ""
        let theirs = try transaction.db.domains(of: domain.owner).first { $0.id == domain.id }
        let name = theirs?.name ?? domain.name
        let wayOut =
            name == domain.name
            ? "Say --owner \(owner)." : "Say --owner \(owner), who calls it ‘\(name)’."
        return CommandFailure(
            "forbidden",
            "‘\(domain.name)’ belongs to ‘\(owner)’; ‘\(identity.accountName)’ is only a member.\n\(wayOut)",
            exitCode: .forbidden)
    }

    private static func line(_ domain: Domain, _ owner: Account, asJSON: Bool) -> String {
        guard asJSON else {
            let size = ByteCount(bytes: domain.used + domain.history).roundedText
            return "\(domain.name)\t\(owner.name)\t\(domain.items) items\t\(size)"
        }
        return JSONText.object { writer in
            writer.key("name")
            writer.string(domain.name)
            writer.key("owner")
            writer.string(owner.name)
            writer.key("items")
            writer.number(domain.items)
            writer.key("used")
            writer.number(domain.used)
            writer.key("history")
            writer.number(domain.history)
            if let quota = domain.quota {
                writer.key("quota")
                writer.number(quota)
            }
        }
    }
}
