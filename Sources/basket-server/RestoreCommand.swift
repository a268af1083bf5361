import BasketSupport
import BasketUpkeep

/// `basket-server restore`
enum RestoreCommand {
    private static let folder = CommandArgument(
        "FOLDER", help: "What ‘basket-server backup’ made.")
    private static let link = CommandOption(
        "link", help: "Give files a second name instead of copying them, on one file system.")

    static let command = Command(
        "restore", summary: "Bring a backup back into an empty data folder.",
        details: """
            Every domain starts its order of changes anew, so that no client believes in what came \
            after the backup. What was restored is checked, and it prints what a check prints.
            """,
        examples: [
            Command.Example("basket-server restore /mnt/backup --data ~/new", "Then serve it.")
        ],
        options: ServerOptions.common + [
            link, CommandOption("deep", help: "Hold every byte against its hash afterwards."),
        ], arguments: [folder], exits: [.damaged]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        let target = DataFolder(path: configuration[ServerSettings.data])
        let findings = try await DatabaseFailure.told(of: target) {
            try await Restore(
                from: invocation.argument("FOLDER") ?? "", into: target,
                links: invocation.has("link"), world: .live(log: .silent)
            ).run(isDeep: invocation.has("deep"))
        }
        if !invocation.has("json") { console.print("\(target.path): restored") }
        FindingList.show(findings, invocation, console)
        return findings.isEmpty ? .success : .damaged
    }
}
