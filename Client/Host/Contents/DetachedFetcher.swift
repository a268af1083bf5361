import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Brings the rest of contents that programs have begun to read, and that no node holds any more: the provider
/// may have the old version still.
struct DetachedFetcher: Sendable {
    let replica: Replica
    let calls: ExtensionCalls
    let settings: HostSettings
    let slots: Slots
    let room: Room
    private let flights = Flights<Int64>()

    init(
        replica: Replica, calls: ExtensionCalls, settings: HostSettings, slots: Slots, room: Room
    ) {
        self.replica = replica
        self.calls = calls
        self.settings = settings
        self.slots = slots
        self.room = room
    }

    /// Has the bytes of a range in the content's own file, and perhaps more.
    ///
    /// - Throws: `LocalError.stale` when the provider does not have them any more.
    func fetch(_ range: Range<Int64>, of content: OpenContent) async throws {
        guard calls.givesParts else { throw LocalError.stale }
        while true {
            let count = replica.changes.count
            guard let rest = try await content.rest() else { return }
            let wanted = settings.aligned(range, size: rest.size)
            guard let gap = rest.ranges.firstGap(in: wanted) else { return }
            let end = min(gap.upperBound, gap.lowerBound + settings.partLength)
            guard let flight = flights.begin(rest.number, gap.lowerBound..<end) else {
                await replica.changes.wait(since: count)
                try Task.checkCancellation()
                continue
            }
            defer {
                flights.end(rest.number, flight)
                replica.changes.poke()
            }
            let parts = try await slots.take(.reading) {
                try await room.with(Int64(flight.count)) { _ in try await fetch(flight, rest) }
            }
            guard parts.first?.contains(flight.lowerBound) == true else {
                throw HostError.badAnswer("a part that was asked for is a hole")
            }
            content.add(parts, to: rest.file)
        }
    }

    /// - Returns: which bytes are in the file now.
    private func fetch(
        _ wanted: Range<Int64>, _ rest: RestOfContent
    ) async throws -> [Range<Int64>] {
        let part: FetchedPart
        do {
            part = try await calls.fetchPart(
                rest.identifier,
                NSFileProviderItemVersion(contentVersion: rest.version, metadataVersion: Data()),
                wanted, alignment: Int(settings.partAlignment), isStrict: true,
                replica.request())
        } catch {
            let isGone = NSFileProviderError(bridging: error)?.code == .versionNoLongerAvailable
            throw isGone || Reaction(error).isMissing ? LocalError.stale : error
        }
        defer { try? replica.world.files.remove(part.file.path) }
        guard part.item.content == .version(rest.version) else { throw LocalError.stale }
        return try part.copy(to: rest.file, ofSize: rest.size, in: replica.world)
    }
}
