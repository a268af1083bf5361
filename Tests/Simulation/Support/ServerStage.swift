import BasketSupport
import Foundation
import Synchronization

/// Devices at Basket's own server, over networks that lose nothing, on the virtual clock.
final class ServerStage: Sendable {
    let storage: ServerStorage
    private let executor: SimulationExecutor
    private let folder: String
    private let devices = Mutex<[Device]>([])

    private init(
        _ executor: SimulationExecutor, folder: String, habits: Habits
    ) async throws {
        self.executor = executor
        self.folder = folder
        storage = try await ServerStorage(
            Run(seed: 1, steps: 0, habits: habits), folder: folder, executor: executor)
    }

    /// A device that is on; Ann's, unless somebody was admitted who is called so.
    func device(_ name: String) async throws -> Device {
        let device = try Device(
            name, storage: storage, executor: executor, folder: folder, inParts: false,
            lossOneIn: 0)
        try await device.start()
        devices.withLock { $0.append(device) }
        return device
    }

    static func play(
        habits: Habits = .first, seed: UInt64 = 1,
        _ body: @escaping @Sendable (ServerStage) async throws -> Void
    ) throws {
        let executor = SimulationExecutor(seed: seed)
        let folder = "/dev/shm/basket-stage-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        Task(executorPreference: executor) {
            do {
                let stage = try await ServerStage(executor, folder: folder, habits: habits)
                try await body(stage)
                for device in stage.devices.withLock({ $0 }) { await device.stop() }
                await stage.storage.close()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        executor.run { outcome.withLock { $0 != nil } }
        guard let result = outcome.withLock({ $0 }) else { throw Stage.StandStill() }
        try result.get()
    }
}
