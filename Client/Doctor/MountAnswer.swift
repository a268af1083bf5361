import BasketSupport
import Glibc

/// What a folder says when it is looked at, within a time: behind a mount there may be nobody who ever answers.
enum MountAnswer: Sendable, Equatable {
    /// It is there, and on this volume.
    case volume(UInt)
    case failed(Int32)
    case silent

    private static let patience = Duration.seconds(1)

    static func ask(_ path: String, _ world: World) async -> MountAnswer {
        let (answers, continuation) = AsyncStream.makeStream(of: MountAnswer.self)
        // Where nobody answers, the thread stays until the process ends, and keeps nobody waiting.
        Thread(name: "looking") {
            continuation.yield(look(at: path))
            continuation.finish()
        }.detach()
        return await withTaskGroup(of: MountAnswer.self) { group in
            group.addTask {
                for await answer in answers { return answer }
                return .silent
            }
            group.addTask {
                // Cancelled, it has been answered.
                try? await world.sleep(patience)
                return .silent
            }
            defer { group.cancelAll() }
            return await group.next() ?? .silent
        }
    }

    private static func look(at path: String) -> MountAnswer {
        var (facts, volume) = (stat(), statvfs())
        // What a folder is, the kernel may remember; how full its volume is, it always asks.
        guard stat(path, &facts) == 0, statvfs(path, &volume) == 0 else { return .failed(errno) }
        return .volume(UInt(facts.st_dev))
    }
}
