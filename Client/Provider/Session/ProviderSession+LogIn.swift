import BasketSupport
import FileProvider
import Synchronization

// How it comes to its log-in, which may be in a keyring that nobody can look into now.
extension ProviderSession {
    /// Begins to listen, when somebody is logged in.
    func start() {
        // Whoever is not logged in hears of it from the first call.
        background { _ = try await $0.connected() }
    }

    /// The token that is kept, asked for once by all who want it at the same time.
    func storedToken() async throws -> String? {
        do {
            return try await logInQuestion.answer {
                let stored = try await environment.credentials.credentials()
                device.note(deviceID: stored?.device)
                return stored?.token
            }
        } catch let trouble as KeyringTrouble {
            awaitKeyring()
            throw trouble
        }
    }

    /// Much sooner than a minute after somebody has unlocked it, without keeping the desktop busy.
    private static let longestPause = Duration.seconds(15)

    /// Looks again until the keyring tells whether somebody is logged in; then whoever has given up asks anew.
    private func awaitKeyring() {
        let begins = awaitsKeyring.withLock { awaits in
            defer { awaits = true }
            return !awaits
        }
        guard begins else { return }
        background { session in
            defer { session.awaitsKeyring.withLock { $0 = false } }
            var pauses = ProbePauses(longest: Self.longestPause)
            while true {
                try await session.world.sleep(pauses.next(at: session.world.uptime()))
                do {
                    _ = try await session.connected()
                } catch is KeyringTrouble {
                    continue
                } catch {
                    // Whatever it is, it is not the keyring any more.
                }
                return session.signals.resolved(.serverUnreachable)
            }
        }
    }
}
