import BasketStore
import BasketSupport

extension Service {
    /// How often it is looked whether a command changed the data beside the server.
    private static let foreignInterval = Duration.seconds(2)
    private static let useInterval = Duration.seconds(60)

    /// Looks after what changes with time, until the task is cancelled.
    package func keepHouse() async {
        var sinceUse = Duration.zero
        while !Task.isCancelled {
            do {
                try await world.sleep(Self.foreignInterval)
                sinceUse += Self.foreignInterval
                if try await store.noticeForeignChanges() { authenticator.forgetEverything() }
                if sinceUse >= Self.useInterval {
                    sinceUse = .zero
                    try await noteUse()
                }
            } catch is CancellationError {
                return
            } catch {
                // A full disk, for one: it may be better next time.
                world.log.warning("housekeeping failed", ["error": .text("\(error)")])
            }
        }
    }

    private func noteUse() async throws {
        let used = authenticator.takeUsed()
        guard !used.isEmpty else { return }
        try await store.write { transaction in
            for device in used { try transaction.noteUse(of: device) }
        }
    }
}
