import BasketSupport
import FileProvider

extension BasketExtension: NSFileProviderUserInteractionSuppressing {
    /// For this domain: what is usual in one is a mistake in another.
    package func setInteractionSuppressed(
        _ suppression: Bool, forIdentifier suppressionIdentifier: String
    ) {
        guard let session else { return }
        session.device.suppress(suppressionIdentifier, suppression)
        session.calls.spawn {
            do {
                try await session.device.save()
            } catch {
                // Somebody is asked once more, after a restart.
                session.world.log.write(
                    .warning, "what is not to be asked is not remembered",
                    ["reason": .text("\(error)")])
            }
        }
    }

    package func isInteractionSuppressed(forIdentifier suppressionIdentifier: String) -> Bool {
        session?.device.isSuppressed(suppressionIdentifier) ?? false
    }
}
