import BasketConnection
import BasketModels
import BasketSupport
import Synchronization

// A server that was put back to a copy of earlier. What has come since is only on its devices, and whatever it says of
// that is wrong: files that were made since are not there, and what was written since is as it was.
extension ProviderSession {
    /// Another server answers than the one that all is known from. Nothing that it says is believed before all that is
    /// here was offered to it.
    func meet(_ server: String) {
        let begins = isOffering.withLock { isOffering in
            defer { isOffering = true }
            return !isOffering
        }
        guard begins else { return }
        background { session in
            defer { session.isOffering.withLock { $0 = false } }
            try await session.offerEverything("another server answers, or an earlier copy of it")
            try await session.device.keepServer(server)
            session.accept(server)
        }
    }

    /// What the domain's feed tells.
    func changes(since anchor: String?, limit: Int) async throws -> ChangePage {
        do {
            return try await call { connection, domain in
                try await connection.changes(in: domain, since: anchor, limit: limit)
            }
        } catch let error as ConnectionError where error.code == "anchor_ahead" {
            try await offerEverything("the server is where it was earlier")
            throw error
        }
    }

    private func offerEverything(_ reason: String) async throws {
        world.log.write(
            .warning, "all that is here is offered to the server once more",
            ["reason": .text(reason)])
        try await signals.offerEverything()
    }
}
