/// One connection's part of an event feed.
final class EventStreamState {
    private(set) var parser: EventStreamParser
    var hasBegun = false

    init(lastID: String?) {
        parser = EventStreamParser(lastID: lastID)
    }

    func take(_ bytes: [UInt8]) throws(ConnectionError) -> [ServerEvent] {
        let found: [EventStreamParser.Event]
        do {
            found = try parser.take(bytes)
        } catch {
            throw .badAnswer("an event has no end")
        }
        var events: [ServerEvent] = []
        for event in found {
            if let event = try ServerEvent(event) { events.append(event) }
        }
        return events
    }
}
