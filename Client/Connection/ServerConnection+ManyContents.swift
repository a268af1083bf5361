import BasketModels

// What many small files hold, in one answer.
extension ServerConnection {
    /// Receives small contents in the order asked. When the connection breaks, another one brings the rest.
    /// - Parameter consumer: gets each as soon as it is here, with its place among those asked for. One that is
    ///   missing, or that is too long to travel with others, is no failure of the whole.
    package func receiveContents(
        _ wanted: [ContentsRequest.Wanted], in domain: String,
        consumer: (Int, ContentsReceiver.Outcome) async throws -> Void
    ) async throws(ConnectionError) {
        let receiver = ContentsReceiver(wanted)
        try await retrying(
            APICall("POST", []), progress: { Int64(receiver.count) },
            { () async throws in
                try await self.receiveRest(receiver, domain, consumer)
            })
    }

    private func receiveRest(
        _ receiver: ContentsReceiver, _ domain: String,
        _ consumer: (Int, ContentsReceiver.Outcome) async throws -> Void
    ) async throws {
        guard !receiver.isComplete else { return }
        var call = try APICall("POST", ["v1", "domains", domain, "contents", "batch"])
            .json(ContentsRequest(contents: receiver.beginConnection()))
        call.takesCompressed = false
        call.isLong = true
        _ = try await exchange(call) { head, bytes in
            guard head.mediaType == ContentHead.mediaType else {
                throw ConnectionError.badAnswer("the contents come as something else")
            }
            var rest = bytes[...]
            while let (place, outcome) = try receiver.next(in: &rest) {
                try await consumer(place, outcome)
            }
        }
        guard receiver.isComplete else {
            // The connection ended well, but the server's work did not.
            throw ConnectionError.unreachable(.broken("the contents ended too early"))
        }
    }
}
