import BasketStore
import BasketSupport

extension Service {
    /// How often it is looked whether a command changed the data beside the server.
    private static let foreignInterval = Duration.seconds(2)

    /// Takes up what commands change beside the server, until the task is cancelled.
    package func noticeForeignChanges() async {
        while !Task.isCancelled {
            do {
                try await world.sleep(Self.foreignInterval)
                try await store.noticeForeignChanges {
                    authenticator.forgetEverything()
                    // What it was, the command told the system's log.
                    world.log.notice("data changed by a command", ["audit": .flag(true)])
                }
            } catch is CancellationError {
                return
            } catch {
                // A full disk, for one: it may be better next time.
                world.log.warning("looking for changes failed", ["error": .text("\(error)")])
            }
        }
    }
}
