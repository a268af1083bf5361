import BasketStore
import BasketSupport
import BasketUpkeep

/// `basket-server check`
enum CheckCommand {
    static let command = Command(
        "check", summary: "Look at everything that is kept, and say what is wrong.",
        details: """
            It works beside a running server, and changes nothing unless --repair is given. It prints a \
            line for each thing that is wrong: how bad it is, and what; with --json an object, and nothing \
            when nothing is wrong. After a repair, what counts is what is still wrong.

            Beside a running server --repair only checks: when there is something to mend it says that the \
            server has to be stopped first, and ends with 1.
            """,
        examples: [
            Command.Example("basket-server check --data ~/basket", "Rows, counts, and files."),
            Command.Example(
                "basket-server check --deep", "Every byte, too: as long as reading takes."),
            Command.Example(
                "basket-server check --repair",
                "Mend the counts that other rows tell."),
        ],
        options: ServerOptions.common + [
            CommandOption("deep", help: "Read all contents, and hold them against their hashes."),
            CommandOption("repair", help: "Afterwards mend what can be worked out anew."),
        ], exits: [.damaged]
    ) { invocation, console in
        let (folder, world) = try DataPlace.find(invocation, telling: console)
        let findings = try await DatabaseFailure.told(of: folder) {
            try await Check(folder, world: world).run(isDeep: invocation.has("deep"))
        }
        FindingList.show(findings, invocation, console)
        if invocation.has("repair"), findings.contains(where: { $0.severity == .count }) {
            let lock = try folder.lock(world.files)
            defer { withExtendedLifetime(lock) {} }
            let store = try await OfflineStore.openStore(folder, world)
            defer { store.close() }
            let mended = try await DatabaseFailure.told(of: folder) {
                try await Repair(store: store).run()
            }
            console.say("basket-server: mended \(mended) counts.")
            let isWhole = findings.allSatisfy { $0.severity == .count }
            // What else was wrong still is, and a mended count is not believed unseen.
            let left = try await Check(folder, world: world).run(isDeep: false)
            return isWhole && left.isEmpty ? .success : .damaged
        }
        return findings.isEmpty ? .success : .damaged
    }
}
