import BasketSupport
import FileProviderReplica
import Synchronization

// What could not be looked at when it was to be: nobody else would ever say that something of it is gone.
extension DomainHost {
    /// Looks at it now and then, until it can be looked at. What the provider has to tell does not wait for that.
    func lookAtWhatIsOwed() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            guard beginLook() else {
                await waitForLook(since: count)
                continue
            }
            var isLeft = true
            do {
                isLeft = try await workingSet.lookAgain()
            } catch HostError.disconnected {
                // It is looked at when it is connected again.
            } catch {
                if Task.isCancelled { return }
                world.log.error(
                    "what is owed cannot be looked for", ["error": .text("\(error)")])
            }
            endLook(isLeft: isLeft)
        }
    }

    /// Whether somebody looks, or is about to. In the interactive testing mode, nobody does.
    func isLooking(_ state: State, at now: Duration) -> Bool {
        !settings.isInteractive && state.looks.isActive(at: now)
    }

    /// - Returns: how many looks have ended when one has that began after this.
    @discardableResult
    func lookAgainNow() -> UInt64 {
        let now = world.uptime()
        defer { replica.changes.poke() }
        return state.withLock { $0.looks.hurry(at: now) }
    }

    /// After everything was told.
    func scheduleLook() throws {
        guard try replica.read({ try $0.isLookOwed() }) else { return }
        let now = world.uptime()
        state.withLock { $0.looks.note(at: now + Self.firstPause) }
    }

    private func beginLook() -> Bool {
        let now = world.uptime()
        guard state.withLock({ $0.looks.isDue(at: now) }), (try? calls.isConnected()) == true
        else { return false }
        return state.withLock { $0.looks.begin(at: now) }
    }

    private func endLook(isLeft: Bool) {
        let (now, jitter) = (world.uptime(), jitter())
        state.withLock { state in
            state.looks.end(isLeft: isLeft, at: now) {
                Self.retryPause.after(failures: $0, jitter: jitter)
            }
        }
        replica.changes.poke()
    }

    private func waitForLook(since count: UInt64) async {
        guard let next = state.withLock({ $0.looks.next }), (try? calls.isConnected()) == true
        else {
            return await change(since: count)
        }
        try? await waitForChange(since: count, atMost: max(.zero, next - world.uptime()))
    }
}
