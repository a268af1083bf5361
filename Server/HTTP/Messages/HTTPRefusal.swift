/// Why a request was refused before a handler saw it.
package enum HTTPRefusal: Error, Equatable, Sendable {
    case malformed(String)
    case methodUnknown
    /// `Expect` asks for something else than `100-continue`.
    case expectationFailed
    case targetTooLong(limit: Int)
    case headersTooLarge(limit: Int)
    /// The sender brought less than so many bytes a second.
    case uploadTooSlow(bytesPerSecond: Int)
    case stopping
}
