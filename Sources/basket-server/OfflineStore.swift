import BasketDatabase
import BasketStore
import BasketSupport
import BasketUpkeep
import Glibc

/// The store, for a command: beside a running server, or without one.
struct OfflineStore {
    let store: Store
    let authenticator: Authenticator

    /// A server that runs meanwhile notices within seconds what was changed.
    static func open(_ invocation: Invocation) async throws -> OfflineStore {
        let configuration = try ServerSettings.resolve(invocation)
        let folder = DataFolder(path: configuration[ServerSettings.data])
        let world = World.live(log: .silent)
        try folder.requireDatabase(world.files)
        let store = try await openStore(folder, world)
        return OfflineStore(
            store: store, authenticator: try Authenticator(store: store, hashing: nil))
    }

    /// Does what a command is for, and has what was changed written down.
    ///
    /// - Parameter action: nil for what changes nothing.
    static func run(
        _ invocation: Invocation, _ console: Console, changing action: String? = nil,
        _ body: (OfflineStore) async throws -> Void
    ) async throws -> ExitCode {
        let offline = try await open(invocation)
        defer { offline.store.close() }
        let folder = try ServerSettings.resolve(invocation)[ServerSettings.data]
        do {
            // Another process may be writing, and the disk may be full.
            try await DatabaseFailure.told(of: DataFolder(path: folder)) { try await body(offline) }
        } catch let error as StoreError {
            throw StoreFailure(error)
        }
        if let action {
            let subject = invocation.argument("NAME") ?? ""
            CommandAudit(action: action, subject: subject, folder: folder)
                .note(console, asJSON: invocation.has("json"))
        }
        return .success
    }

    /// Whatever is written here is on the disk when the call returns.
    static func openStore(_ folder: DataFolder, _ world: World) async throws -> Store {
        try await DatabaseFailure.told(of: folder) {
            try await Store(
                path: folder.database,
                writer: InlineWriter(try Store.openConnection(folder.database)), world: world)
        }
    }

    /// Refuses a change that changes nothing: its option was forgotten.
    static func requireAny(of options: [String], _ invocation: Invocation) throws {
        guard options.allSatisfy({ invocation.value($0) == nil }) else { return }
        let names = options.map { "--\($0)" }.joined(separator: ", ")
        throw CommandFailure(
            "nothing_to_change", "nothing was said to change.\nThere are \(names).",
            exitCode: .usage)
    }

    /// A password from standard input, or a new one when nothing was said about it.
    static func password(_ invocation: Invocation, _ store: Store) throws -> (
        text: String, isNew: Bool
    ) {
        guard invocation.has("password-stdin") else {
            return (FirstAccount.password(store.world.randomBytes(16)), true)
        }
        guard let line = readLine(strippingNewline: true) else {
            throw CommandFailure(
                "no_password", "there is no password on standard input.", exitCode: .usage)
        }
        try Authenticator.check(password: line)
        return (line, false)
    }
}
