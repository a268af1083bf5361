import BasketSupport
import Glibc
import Synchronization

/// How long programs wait for somebody who could not be reached when he was asked last: who asks first, for a moment, as it
/// may be over and nobody has noticed; who asks after that is told at once, or a search through a thousand files would take
/// an hour.
final class CutOffPatience: Sendable {
    private static let longest = Duration.seconds(2)
    /// For so long nobody is asked again.
    private static let memory = Duration.seconds(5)

    private let world: World
    private let refused = Mutex<(code: Int32, time: Duration)?>(nil)

    init(world: World) {
        self.world = world
    }

    /// - Throws: `Refusal` where there was no answer in time; what was answered last where nobody is asked.
    func ask(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let last = refused.withLock(\.self)
        if let last, world.uptime() - last.time < Self.memory { throw Refusal(last.code) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body() }
                group.addTask { [world] in
                    try await world.sleep(Self.longest)
                    throw Refusal(EHOSTUNREACH)
                }
                defer { group.cancelAll() }
                try await group.next()
            }
            refused.withLock { $0 = nil }
        } catch {
            // Who was interrupted has heard nothing.
            if !Task.isCancelled { remember(error) }
            throw error
        }
    }

    /// What is wrong with one file says nothing about others.
    private func remember(_ error: any Error) {
        let code = ErrorNumber.of(error)
        guard code == EHOSTUNREACH || code == EKEYREJECTED else { return }
        refused.withLock { $0 = (code, world.uptime()) }
    }
}
