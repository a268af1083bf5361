import BasketModels
import BasketStore
import BasketSupport

/// `basket-server account …`
enum AccountCommands {
    static let command = Command(
        "account", summary: "List, make, change and remove accounts.",
        examples: [
            Command.Example("basket-server account list --data ~/basket", "Who may log in."),
            Command.Example(
                "basket-server account add ann --data ~/basket",
                "Make an account, and print its password."),
        ],
        options: ServerOptions.common,
        exits: [.notFound, .conflict],
        commands: [list, add, password, change, remove])

    private static let name = CommandArgument("NAME", help: "The account's name.")
    private static let passwordOption = CommandOption(
        "password-stdin", help: "Read the password from standard input instead of making one.")
    private static let role = CommandOption(
        "role", placeholder: "administrator|member",
        help: "What it may do: administrators make accounts; member when nothing is said.")
    private static let quota = CommandOption(
        "quota", placeholder: "SIZE", help: "What its domains may hold; ‘none’ for no limit.")

    private static let list = Command(
        "list", summary: "Who may log in.",
        details:
            "A line for each account: its name, its role or that it is disabled, what it holds.",
        examples: [Command.Example("basket-server account list --json", "For a script.")]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console) { offline in
            let accounts = try offline.store.read { try $0.accounts() }
            if invocation.has("json") {
                for account in accounts { console.print(json(account)) }
            } else {
                for account in accounts {
                    let state = account.isDisabled ? "disabled" : account.role.rawValue
                    console.print(
                        "\(account.name)\t\(state)\t\(ByteCount(bytes: account.used).roundedText)")
                }
            }
        }
    }

    private static let add = Command(
        "add", summary: "Make an account.",
        details: "It prints the password that it made up; nothing when you gave one.",
        examples: [
            Command.Example("basket-server account add ann", "With a password of its own making."),
            Command.Example(
                "basket-server account add ann --password-stdin <secret.txt", "With yours."),
        ], options: [passwordOption, role, quota], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "account add") { offline in
            let name = invocation.argument("NAME") ?? ""
            let (password, isNew) = try OfflineStore.password(invocation, offline.store)
            let hash = try await offline.authenticator.hash(password: password)
            let role = try parsedRole(invocation) ?? .member
            let quota = try QuotaOption.change(invocation)
            try await offline.store.write {
                try $0.createAccount(
                    name, displayName: nil, role: role, quota: quota.value, password: hash)
            }
            tellPassword(isNew ? password : nil, name, invocation, console)
        }
    }

    private static let password = Command(
        "password", summary: "Give an account another password.",
        examples: [Command.Example("basket-server account password ann", "A new one, printed.")],
        options: [passwordOption], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "account password") { offline in
            let name = invocation.argument("NAME") ?? ""
            let (password, isNew) = try OfflineStore.password(invocation, offline.store)
            var draft = AccountChange()
            draft.password = try await offline.authenticator.hash(password: password)
            let change = draft
            try await offline.store.write { try $0.change(account: name, change) }
            tellPassword(isNew ? password : nil, name, invocation, console)
        }
    }

    private static let change = Command(
        "change", summary: "Change an account's role or quota, or lock it out.",
        examples: [
            Command.Example(
                "basket-server account change ann --quota 50GiB", "Limit what it holds."),
            Command.Example(
                "basket-server account change ann --disabled", "Nobody logs in as ann."),
        ],
        options: [
            role, quota,
            CommandOption("disabled", help: "Whether it is locked out.", isNegatable: true),
        ], arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "account change") { offline in
            let name = invocation.argument("NAME") ?? ""
            var draft = AccountChange()
            draft.role = try parsedRole(invocation)
            draft.quota = try QuotaOption.change(invocation)
            try OfflineStore.requireAny(of: ["role", "quota", "disabled"], invocation)
            if let disabled = invocation.value("disabled") { draft.isDisabled = disabled == "yes" }
            let change = draft
            try await offline.store.write { try $0.change(account: name, change) }
        }
    }

    private static let remove = Command(
        "remove", summary: "Remove an account that owns no domain.",
        examples: [
            Command.Example("basket-server account remove ann", "Its devices are logged out.")
        ],
        arguments: [name]
    ) { invocation, console in
        try await OfflineStore.run(invocation, console, changing: "account remove") { offline in
            let name = invocation.argument("NAME") ?? ""
            try await offline.store.write { try $0.deleteAccount(name) }
        }
    }

    // MARK: Parts

    private static func parsedRole(_ invocation: Invocation) throws -> AccountRole? {
        guard let text = invocation.value("role") else { return nil }
        guard let role = AccountRole(rawValue: text) else {
            throw CommandFailure(
                "bad_role", "‘\(text)’ is no role.\nIt is administrator or member.",
                exitCode: .usage)
        }
        return role
    }

    private static func tellPassword(
        _ password: String?, _ name: String, _ invocation: Invocation, _ console: Console
    ) {
        guard let password else { return }
        if invocation.has("json") {
            console.print(
                JSONText.object { writer in
                    writer.key("account")
                    writer.string(name)
                    writer.key("password")
                    writer.string(password)
                })
        } else {
            console.say("The password of ‘\(name)’, shown only now:")
            console.print(password)
        }
    }

    private static func json(_ account: Account) -> String {
        JSONText.object { writer in
            writer.key("name")
            writer.string(account.name)
            writer.key("role")
            writer.string(account.role.rawValue)
            writer.key("disabled")
            writer.bool(account.isDisabled)
            writer.key("used")
            writer.number(account.used)
            if let quota = account.quota {
                writer.key("quota")
                writer.number(quota)
            }
        }
    }
}
