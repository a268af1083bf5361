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
        let known = session.device.locks
        known.look(at: item)
        while !Task.isCancelled {
            let isFree = await isFree()
            if isFree == false { break }
            // As long as nobody can tell, nothing is taken: it may be that of somebody who locked it by hand.
            if isFree == true, !Task.isCancelled {
                known.setShown(true, item)
                await known.save()
                // Who cannot be reached now is told the next time.
                _ = try? await session.call { connection, domain in
                    try await connection.takeLock(
                        on: item, in: domain, LockRequest(seconds: Self.seconds))
                }
            }
            try? await session.world.sleep(Self.pause)
        }
        release()
    }

    /// Nil where nobody can tell.
    private func isFree() async -> Bool? {
        // It may be that of somebody who looked at it before the device went down.
        if session.device.locks.isShown(item) { return true }
        let locks = try? await session.call { try await $0.locks(on: item, in: $1) }
        return locks.map { !$0.contains(where: session.device.isOwn) }
    }

    private func release() {
        let (item, session) = (item, session)
        let known = session.device.locks
        guard known.lookAway(from: item), known.isShown(item) else { return }
        session.calls.spawn {
            do {
                try await session.call { try await $0.giveUpLock(on: item, in: $1) }
            } catch let error as ConnectionError where Reaction(error) == .forget {
                // It has gone with the item.
            } catch {
                // It ends by itself; until then it is known whose it is.
                return
            }
            // Somebody may look at it again by now.
            guard !known.isLookedAt(item) else { return }
            known.setShown(false, item)
            await known.save()
        }
    }
}
