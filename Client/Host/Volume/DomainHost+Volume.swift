import FileProvider
import FileProviderReplica

// How full the domain is.
extension DomainHost {
    /// With what the provider has said within the last seconds, or before where it cannot be asked; of this disk alone where
    /// it does not say.
    package func volumeRoom() async throws -> VolumeRoom {
        let here = try replica.volumeBytes()
        guard let there = await providerRoom() else {
            return VolumeRoom(total: here.total, free: here.free, available: here.free)
        }
        // Nobody's number may make another one overflow.
        let (used, available) = (Self.within(there.used), Self.within(there.available))
        return VolumeRoom(
            total: used + available, free: available, available: min(available, here.free))
    }

    private static func within(_ bytes: Int64) -> Int64 { min(max(0, bytes), Int64.max / 4) }

    private static let patienceForRoom = Duration.seconds(1)

    private func providerRoom() async -> ProviderRoom? {
        guard let provider = calls.provider as? any RoomReporting else { return nil }
        if isCutOff { return knownRoom.known }
        return await knownRoom.latest {
            let once = Once<ProviderRoom?>()
            return try await calls.answer(to: once, within: Self.patienceForRoom) {
                once.began(
                    provider.fetchRoom { room, error in
                        once.answer(error.map { .failure($0) } ?? .success(room))
                    })
            }
        }
    }
}
