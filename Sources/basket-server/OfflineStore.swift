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
        guard folder.exists(world.files) else { throw DataFolderError.noDatabase(folder.path) }
        let store = try await Store(
            path: folder.database,
            writer: InlineWriter(try Store.openConnection(folder.database)), world: world)
        return OfflineStore(
            store: store, authenticator: try Authenticator(store: store, hashing: nil))
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
                "no_password", "There is no password on standard input.", exitCode: .usage)
        }
        try Authenticator.check(password: line)
        return (line, false)
    }
}
