import BasketModels
import Testing

@testable import BasketConnection

@Suite("Events that wait")
struct EventQueueTests {
    private static let domain = ServerEvent.DomainReference(id: "1", name: "Work")

    /// Everything that waits, in words.
    private func told(_ queue: EventQueue) async throws -> [String] {
        queue.finish(.success(()))
        var told: [String] = []
        for try await event in queue {
            switch event {
            case .connected: told.append("connected")
            case .disconnected: told.append("disconnected")
            case .changed(let domain, let anchor): told.append("\(domain.name) \(anchor)")
            case .locked(let domain, let item): told.append("\(domain) \(item ?? "many")")
            case .domains(let names): told.append("\(names)")
            }
        }
        return told
    }

    @Test("are few, however many there were: of each domain what is newest")
    func coalesce() async throws {
        let queue = EventQueue()
        try queue.add(.connected)
        for number in 0..<3000 {
            try queue.add(.changed(domain: Self.domain, anchor: "\(number)"))
            try queue.add(.locked(domain: "Work", item: "\(number)"))
            try queue.add(.domains(["\(number)"]))
        }
        try queue.add(.disconnected(.unreachable(.refused)))

        #expect(try await told(queue) == ["disconnected", "[\"2999\"]", "Work 2999", "Work many"])
    }

    @Test("name each lock once, as long as they are few")
    func locks() async throws {
        let queue = EventQueue()
        for item in ["a", "b", "a"] { try queue.add(.locked(domain: "Work", item: item)) }

        #expect(try await Set(told(queue)) == ["Work a", "Work b"])
    }

    @Test("are not taken from a server that makes domains up")
    func tooMany() throws {
        let queue = EventQueue()
        #expect(throws: ConnectionError.self) {
            for number in 0..<20_000 {
                let domain = ServerEvent.DomainReference(id: "\(number)", name: "x")
                try queue.add(.changed(domain: domain, anchor: "1"))
            }
        }
    }
}
