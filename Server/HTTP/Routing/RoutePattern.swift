/// A path with captures: `/v1/domains/{domain}/files/{path...}`.
package struct RoutePattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
{
    package enum Segment: Hashable, Sendable {
        case literal(String)
        /// One segment, which is not empty.
        case capture(String)
        /// All that follow, at least one; the last may be empty, as after a trailing slash.
        case rest(String)
    }

    package let description: String
    package let segments: [Segment]

    /// - Parameter text: starts with a slash; nothing is percent-encoded. A mistake in it is one of the
    ///   program's, found by whichever test makes the router.
    package init(stringLiteral text: String) {
        description = text
        precondition(text.hasPrefix("/"), "a pattern starts with a slash: \(text)")
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            part in
            guard part.hasPrefix("{") else { return .literal(String(part)) }
            precondition(part.hasSuffix("}"), "a capture fills its segment: \(text)")
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .capture(String(name))
        }
        let rests = segments.indices.filter { if case .rest = segments[$0] { true } else { false } }
        precondition(
            rests.allSatisfy { $0 == segments.count - 1 },
            "only the last segment can take all that follow: \(text)")
    }
}
