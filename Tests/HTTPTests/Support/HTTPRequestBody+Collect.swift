import BasketHTTP

extension HTTPRequestBody {
    /// The whole body, or `HTTPBodyTooLarge` as soon as it is known to be larger.
    func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announcedLength, announcedLength > limit { throw HTTPBodyTooLarge(limit: limit) }
        var all: [UInt8] = []
        while let piece = try await next() {
            all += piece
            if all.count > limit { throw HTTPBodyTooLarge(limit: limit) }
        }
        return all
    }
}
