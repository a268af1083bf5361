import BasketSupport
import FileProvider
import Synchronization

/// What the provider has said of its room. Programs ask often, and wait for no network: one of them now and then has the
/// provider asked, and the others are told what is known.
final class KnownRoom: Sendable {
    private struct State {
        var room: ProviderRoom?
        var isAsking = false
        /// When it may be asked for again.
        var due = Duration.zero
    }

    private let state = Mutex(State())
    private let world: World

    private static let pause = Duration.seconds(5)
    private static let pauseAfterFailure = Duration.seconds(30)

    init(world: World) {
        self.world = world
    }

    var known: ProviderRoom? { state.withLock { $0.room } }

    /// - Parameter ask: is done with within a second or so.
    func latest(_ ask: () async throws -> ProviderRoom?) async -> ProviderRoom? {
        let mayAsk = state.withLock { state in
            guard !state.isAsking, state.due <= world.uptime() else { return false }
            state.isAsking = true
            return true
        }
        if mayAsk { await refresh(ask) }
        return known
    }

    private func refresh(_ ask: () async throws -> ProviderRoom?) async {
        var answer: ProviderRoom??
        var pause = Self.pause
        do {
            answer = try await ask()
        } catch is CancellationError {
            // Who asked has gone away: that says nothing of the provider.
            pause = .zero
        } catch {
            pause = Self.pauseAfterFailure
        }
        state.withLock { state in
            state.isAsking = false
            state.due = world.uptime() + pause
            if let answer { state.room = answer }
        }
    }
}
