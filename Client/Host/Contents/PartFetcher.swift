import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// Brings parts of contents here.
struct PartFetcher: Sendable {
    let replica: Replica
    let calls: ExtensionCalls
    let workingSet: WorkingSet
    let settings: HostSettings
    let slots: Slots
    let room: Room
    private let flights = Flights<NodeID>()
    private let pace = PartPace()

    init(
        replica: Replica, calls: ExtensionCalls, workingSet: WorkingSet, settings: HostSettings,
        slots: Slots, room: Room
    ) {
        self.replica = replica
        self.calls = calls
        self.workingSet = workingSet
        self.settings = settings
        self.slots = slots
        self.room = room
    }

    /// Has the bytes of a range here, and perhaps more, for somebody who waits for them. What is here, or on its way,
    /// is not fetched again.
    ///
    /// - Parameter ahead: what is to come with it, as far as that takes no longer than a moment.
    /// - Throws: `LocalError.stale` when the provider does not have the version any more that the node shows.
    func fetch(
        _ wanted: Range<Int64>, ahead: Range<Int64>? = nil, of id: NodeID, by program: Program?
    ) async throws {
        let identifier = try replica.read { try $0.node(id)?.identifier }
        try await calls.running.awaiting(identifier) {
            try await fetch(wanted, ahead: ahead ?? wanted, of: id, by: program, in: .reading)
        }
    }

    /// - Parameter line: the one in which it is waited for a place; nil when there is a place already, and nobody
    ///   waits.
    private func fetch(
        _ wanted: Range<Int64>, ahead: Range<Int64>, of id: NodeID, by program: Program?,
        in line: CallCategory?
    ) async throws {
        var last: Int64?
        while true {
            let count = replica.changes.count
            guard let (node, _, _) = try state(of: id), node.residence != .whole else { return }
            let wanted = settings.aligned(wanted, size: node.size)
            let ranges = try replica.read { try $0.ranges(of: id) }
            guard let gap = ranges.firstGap(in: wanted) else { return }
            let next = part(gap, ahead, node, ranges)
            guard let flight = flights.begin(id, next, fromItsStart: line != nil) else {
                await replica.changes.wait(since: count)
                try Task.checkCancellation()
                continue
            }
            defer {
                flights.end(id, flight)
                replica.changes.poke()
            }
            do {
                let parts = try await slots.take(line) {
                    try await room.with(Int64(flight.count)) { arrival in
                        try await fetchPart(
                            flight, of: id, by: program, isAwaited: line != nil, arrival)
                    }
                }
                if let parts {
                    // It may have been let go of once more meanwhile; but who asks is to come nearer to the end.
                    guard parts.contains(where: { $0.contains(flight.lowerBound) }) else {
                        throw HostError.badAnswer("a part that was asked for is a hole")
                    }
                    // For which nobody waits, it is not asked for again and again.
                    if line == nil, last == flight.lowerBound { throw LocalError.noRoom }
                    last = flight.lowerBound
                }
            } catch HostError.overtaken {
                // Who waits for it may have begun by now; else it is asked for as what somebody waits for.
                continue
            }
        }
    }

    /// - Returns: which bytes came; nil where nothing had to.
    private func fetchPart(
        _ wanted: Range<Int64>, of id: NodeID, by program: Program?, isAwaited: Bool,
        _ arrival: Arrival
    ) async throws -> [Range<Int64>]? {
        guard let (node, asked, version) = try state(of: id) else { return nil }
        let ranges = try replica.read { try $0.ranges(of: id) }
        // It may have come between two looks.
        guard node.residence != .whole, !ranges.contains(wanted) else { return nil }
        // The provider has not said yet which of its items it is.
        guard let identifier = node.identifier else {
            throw NSFileProviderError(.providerDomainTemporarilyUnavailable)
        }
        let part: FetchedPart
        let start = replica.world.uptime()
        do {
            part = try await calls.fetchPart(
                identifier,
                NSFileProviderItemVersion(
                    contentVersion: version, metadataVersion: node.syncedMetadata ?? Data()),
                wanted, alignment: Int(settings.partAlignment), isStrict: !ranges.ranges.isEmpty,
                replica.request(
                    isSystemRequest: !isAwaited && !calls.running.isAwaited(identifier)))
        } catch {
            try await react(to: error, identifier)
            throw error
        }
        defer { try? replica.world.files.remove(part.file.path) }
        pace.note(
            part.range.upperBound - part.range.lowerBound, in: replica.world.uptime() - start)
        var content = asked
        if part.item.content != asked {
            let isTurned = try await replica.write { transaction in
                self.workingSet.tidings.note(fetched: identifier)
                return try transaction.turn(id, from: asked, to: part.item)
            }
            guard isTurned else {
                // What the provider has by now is known to whoever asks again.
                _ = try await workingSet.isMissing(identifier)
                throw LocalError.stale
            }
            content = part.item.content
        }
        let parts = try await take(part, content, of: id, by: program, arrival)
        // Of another version, it may be anything.
        return content == asked ? parts : nil
    }

    /// What is fetched at once where some of it is missing: with what follows, as long as that is not here.
    private func part(
        _ gap: Range<Int64>, _ ahead: Range<Int64>, _ node: StoredNode, _ ranges: ContentRanges
    ) -> Range<Int64> {
        let ahead = settings.aligned(ahead, size: node.size)
        let end = gap.lowerBound + min(node.size - gap.lowerBound, pace.length(settings))
        let most = gap.lowerBound..<min(end, max(gap.upperBound, ahead.upperBound))
        return ranges.firstGap(in: most) ?? most
    }

    /// Has all of a content here, part by part.
    func fetchAll(
        of id: NodeID, by program: Program?, in line: CallCategory?
    ) async throws {
        while let (node, _, _) = try state(of: id), node.residence != .whole {
            let ranges = try replica.read { try $0.ranges(of: id) }
            guard let gap = ranges.firstGap(in: 0..<node.size) else { return }
            let end = min(gap.upperBound, gap.lowerBound + settings.partLength)
            try await fetch(
                gap.lowerBound..<end, ahead: gap.lowerBound..<end, of: id, by: program, in: line)
        }
    }

    private func state(
        of id: NodeID
    ) throws -> (node: StoredNode, content: EntryContent, version: Data)? {
        guard let node = try replica.read({ try $0.node(id) }), let local = node.trees.local else {
            throw LocalError.notFound
        }
        // What was written here is here.
        guard case .version(let version) = local.content else { return nil }
        return (node, local.content, version)
    }

    private func react(to error: any Error, _ identifier: NSFileProviderItemIdentifier) async throws
    {
        let isGone = NSFileProviderError(bridging: error)?.code == .versionNoLongerAvailable
        guard isGone || Reaction(error).isMissing else { return }
        // What is there instead is taken in, if there is anything.
        if try await workingSet.isMissing(identifier) {
            try await replica.write { try $0.forget(identifier) }
        }
        if isGone { throw LocalError.stale }
    }

    private func take(
        _ part: FetchedPart, _ content: EntryContent, of id: NodeID, by program: Program?,
        _ arrival: Arrival
    ) async throws -> [Range<Int64>]? {
        guard let file = try await file(for: id, content) else {
            try requireWhole(id, content)
            return nil
        }
        let target: any ChangeableFile
        do {
            target = try replica.contents.openToChange(file)
        } catch {
            // Somebody has taken it away: what was in it is fetched again.
            try await replica.write { try $0.loseParts(of: id, in: file) }
            throw error
        }
        let size = try replica.read { try $0.node(id)?.size } ?? 0
        let parts = try part.copy(to: target, ofSize: size, in: replica.world)
        // What a crash takes back of it is fetched once more.
        guard
            try await replica.writeSoon({ transaction in
                arrival.end()
                return try transaction.addParts(parts, to: file, of: id, by: program?.name)
            })
        else {
            try requireWhole(id, content)
            return nil
        }
        return parts
    }

    /// Where there is no place for a part, all of the same content may have come another way.
    private func requireWhole(_ id: NodeID, _ content: EntryContent) throws {
        guard let node = try replica.read({ try $0.node(id) }), node.residence == .whole,
            node.trees.local?.content == content
        else { throw LocalError.stale }
    }

    /// The file that holds the parts; nil when the node has another content by now.
    private func file(for id: NodeID, _ content: EntryContent) async throws -> Int64? {
        func begun() throws -> Int64? {
            guard let node = try replica.read({ try $0.node(id) }), node.residence == .partial,
                node.trees.local?.content == content
            else { return nil }
            return node.file
        }
        if let file = try begun() { return file }
        // It is there before anybody knows of it.
        let size = try replica.read { try $0.node(id)?.size ?? 0 }
        let file = try await replica.nextFile()
        _ = try replica.contents.create(file)
        defer { replica.discardUnlessNamed(file) }
        // Holes that are known to be zeros are there from the beginning.
        try replica.contents.openToChange(file).resize(to: size)
        let isOurs = try await replica.writeSoon { transaction in
            try transaction.beginParts(of: id, content: content, in: file)
        }
        return isOurs ? file : try begun()
    }
}
