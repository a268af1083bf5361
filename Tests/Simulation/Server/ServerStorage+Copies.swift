import BasketStore
import BasketUpkeep
import Foundation
import Synchronization

// A copy of all that it holds, and the way back to that.
extension ServerStorage {
    private var copy: String { folder.path + "-copy" }

    func keepCopy() async throws {
        try halt()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy)
        try await start()
    }

    /// - Parameter isTold: whether it knows that it is a copy, as after a backup was restored; else somebody has put
    ///   the whole machine back.
    func goBackToCopy(isTold: Bool) async throws {
        try halt()
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.moveItem(atPath: copy, toPath: folder.path)
        if isTold {
            try await start()
            try await requireServer().store.write { try $0.beginAnew() }
            try halt()
        }
        try await start()
    }

    private func halt() throws {
        try requireServer().kill()
        state.withLock { $0.server = nil }
    }
}
