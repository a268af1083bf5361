import BasketSupport
import FileProviderHost
import Foundation
import Synchronization

/// One device at a cloud that loses nothing, on the virtual clock: for what is told as a story.
enum Stage {
    /// - Parameters:
    ///   - inParts: whether contents come in parts of eight bytes.
    ///   - isLazy: whether folders have to be listed before anybody knows what is in them.
    ///   - repeatsWrites: whether each transaction is undone once, and done again.
    ///   - forgetsNames: whether a power cut undoes what was done to names and is not durable.
    static func play(
        seed: UInt64 = 1, inParts: Bool = false, isLazy: Bool = false, repeatsWrites: Bool = false,
        forgetsNames: Bool = false, keepsDetails: Bool = false,
        settings: HostSettings = HostSettings(),
        declaring declaration: ExtensionDeclaration? = nil,
        _ body: @escaping @Sendable (Cloud, Device) async throws -> Void
    ) throws {
        let executor = SimulationExecutor(seed: seed)
        let folder = "/dev/shm/basket-stage-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let cloud = Cloud(isLazy: isLazy, keepsDetails: keepsDetails)
        Task(executorPreference: executor) {
            do {
                let device = try Device(
                    "laptop", storage: cloud, executor: executor, folder: folder,
                    inParts: inParts, lossOneIn: 0, repeatsWrites: repeatsWrites,
                    forgetsNames: forgetsNames,
                    settings: settings,
                    declaration: declaration)
                try await device.start()
                try await body(cloud, device)
                await device.stop()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        executor.run { outcome.withLock { $0 != nil } }
        guard let result = outcome.withLock({ $0 }) else { throw StandStill() }
        try result.get()
    }

    /// Nothing happens any more, and the story is not over.
    struct StandStill: Error {}
}
