import BasketModels

// What many small files hold, in one answer.
extension ServerConnection {
    /// Receives small contents in the order asked. When the connection breaks, another one brings the rest.
    /// - Parameter consumer: gets each as soon as it is here, with its place among those asked for. One that is
    ///   missing, that is too long to travel with others, or of which nobody can make sense, is no failure of the
    ///   whole.
    package func receiveContents(
        _ wanted: [ContentsRequest.Wanted], in domain: String,
        consumer: (Int, ContentsReceiver.Outcome) async throws -> Void
    ) async throws(ConnectionError) {
        let receiver = ContentsReceiver(wanted)
        try await retrying(
            APICall("POST", []), progress: { Int64(receiver.count) },
            { () async throws in
                while try await !self.receiveRest(receiver, domain, consumer) {}
            })
    }

    /// What came of one of them, of which nobody can make sense.
    private struct Misread: Error {
        let error: ConnectionError
    }

    /// - Returns: false when one made no sense, behind which the others have to be asked for once more.
    private func receiveRest(
        _ receiver: ContentsReceiver, _ domain: String,
        _ consumer: (Int, ContentsReceiver.Outcome) async throws -> Void
    ) async throws -> Bool {
        guard !receiver.isComplete else { return true }
        var call = try APICall("POST", ["v1", "domains", domain, "contents", "batch"])
            .json(ContentsRequest(contents: receiver.beginConnection()))
        call.takesCompressed = false
        call.isLong = true
        do {
            _ = try await exchange(call) { head, bytes in
                guard head.mediaType == ContentHead.mediaType else {
                    throw ConnectionError.badAnswer("the contents come as something else")
                }
                var rest = bytes[...]
                while let (place, outcome) = try Self.next(receiver, &rest) {
                    try await consumer(place, outcome)
                }
            }
        } catch ConnectionError.consumer(let error as Misread) {
            guard let place = receiver.pass() else { throw error.error }
            try await consumer(place, .failure(error.error))
            return false
        }
        guard receiver.isComplete else {
            // The connection ended well, but the server's work did not.
            throw ConnectionError.unreachable(.broken("the contents ended too early"))
        }
        return true
    }

    private static func next(
        _ receiver: ContentsReceiver, _ rest: inout ArraySlice<UInt8>
    ) throws -> (place: Int, outcome: ContentsReceiver.Outcome)? {
        do {
            return try receiver.next(in: &rest)
        } catch {
            throw Misread(error: error)
        }
    }
}
