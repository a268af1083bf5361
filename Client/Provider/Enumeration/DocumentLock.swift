import BasketConnection
import BasketModels
import BasketSupport

/// Says that this device has a file open, for as long as somebody looks at it. Where the device has locked the file
/// already, somebody did so by hand, and it stays as it is.
final class DocumentLock: Sendable {
    /// It ends by itself soon after the device is gone.
    private static let seconds = 120
    private static let pause = Duration.seconds(40)

    private let item: String
    private let session: ProviderSession

    init(_ item: String, session: ProviderSession) {
        self.item = item
        self.session = session
    }

    /// Takes the lock and renews it, until the task is cancelled.
    func hold() async {
        while !Task.isCancelled, await isFree() {
            await session.device.setShown(true, item)
            // Who cannot be reached now is told the next time.
            _ = try? await session.call { connection, domain in
                try await connection.takeLock(
                    on: item, in: domain, LockRequest(seconds: Self.seconds))
            }
            try? await session.world.sleep(Self.pause)
        }
        release()
    }

    private func isFree() async -> Bool {
        // It may be that of somebody who looked at it before the device went down.
        if session.device.isShown(item) { return true }
        let own = session.environment.deviceName
        let locks = try? await session.call { try await $0.locks(on: item, in: $1) }
        return locks?.contains { $0.device == own } != true
    }

    private func release() {
        let (item, session) = (item, session)
        session.calls.spawn {
            // Somebody may have locked it by hand since then.
            guard session.device.isShown(item) else { return }
            _ = try? await session.call { try await $0.giveUpLock(on: item, in: $1) }
            await session.device.setShown(false, item)
        }
    }
}
