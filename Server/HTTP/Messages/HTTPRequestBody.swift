/// A request's body, handed out piece by piece while it arrives. Nobody holds all of it, unless a
/// handler collects it, up to a limit of its own.
package struct HTTPRequestBody: Sendable {
    /// What the sender announced; nil for a chunked body.
    package let announcedLength: Int64?
    private let pull: @Sendable () async throws -> [UInt8]?

    /// - Parameter pull: the next piece; nil after the last one; an error when the sender went away
    ///   or broke the framing. Called again only after it answered.
    package init(
        announcedLength: Int64?, pull: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.announcedLength = announcedLength
        self.pull = pull
    }

    package static let empty = HTTPRequestBody(announcedLength: 0) { nil }

    /// The next piece, never empty; nil after the last one.
    package func next() async throws -> [UInt8]? {
        try await pull()
    }

}
