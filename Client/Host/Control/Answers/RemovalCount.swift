/// How many removals somebody has decided about.
package struct RemovalCount: Codable, Sendable, Equatable {
    package var removals: Int
}
