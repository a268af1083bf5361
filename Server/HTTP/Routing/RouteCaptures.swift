/// What a path had in the places that its pattern leaves open.
package struct RouteCaptures: Sendable {
    /// The pattern's names and what stood there, in their order.
    package let values: [(name: String, value: String)]
    /// The segments that a last `{name...}` took. Apart, because a segment may hold a slash itself.
    package let rest: [String]

    package subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }
}
