import BasketModels
import BasketSupport

// The server's time.
extension ServerConnection {
    /// What the server says of itself, and how much later it is here than there, to a second or two.
    package func serverAndClock() async throws(ConnectionError) -> (ServerInfo, ahead: Duration?) {
        let before = world.now()
        let (head, body) = try await answer(to: APICall("GET", ["v1", "server"]))
        let after = world.now()
        let info = try AnswerReader.read(ServerInfo.self, body)
        guard let there = head[header: "date"].flatMap({ Timestamp(httpDate: $0) }) else {
            return (info, nil)
        }
        // Somewhere on the way: half of it is as good a guess as any.
        return (info, before + (after - before) / 2 - there)
    }
}
