import BasketStore
import BasketSupport
import BasketUpkeep
import Synchronization

// What was seen in its database while nobody looked.
extension ServerStorage {
    /// Notes what has gone too early, and what must never be.
    func questionWitness() throws {
        let server = try requireServer()
        let (lastOddity, lastDeparture) = state.withLock { ($0.lastOddity, $0.lastDeparture) }
        let (oddities, departures) = try server.store.read { db in
            (
                try Witness.oddities(db, after: lastOddity),
                try Witness.departures(db, after: lastDeparture)
            )
        }
        // It went before now, so that what is too early now was so in any case.
        let now = server.world.now()
        for (_, words) in oddities { note(oddity: words) }
        for (_, departure) in departures where departure.hadRoom {
            let age = now - departure.since
            if age < term(departure.term) {
                note(oddity: "\(departure.words) has gone after \(age)")
            }
        }
        state.withLock { state in
            state.lastOddity = oddities.last?.id ?? lastOddity
            state.lastDeparture = departures.last?.id ?? lastDeparture
        }
    }

    private func term(_ name: String) -> Duration {
        let retention = collectionPolicy.retention
        return switch name {
        case "version": retention.allVersions
        case "deleted": retention.deletedContents
        default: retention.tombstones
        }
    }

    func races() throws -> [Race] {
        let last = state.withLock { $0.lastCopy }
        let server = try requireServer()
        return try server.store.read { db in
            let copies = try Witness.copies(db, after: last)
            if let newest = copies.last?.id { state.withLock { $0.lastCopy = newest } }
            return try copies.map { _, copy in
                Race(
                    name: copy.name, lost: try text(of: copy.content, db),
                    won: try text(of: copy.otherContent, db),
                    isMeant: copy.isOfOther && !copy.isOlder)
            }
        }
    }
}
