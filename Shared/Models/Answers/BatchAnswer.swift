/// What became of a batch's operations, in their order.
package struct BatchAnswer: Decodable, Sendable {
    package struct Result: Decodable, Sendable {
        package var status: Int
        /// Missing after a deletion, and where the answer got too long.
        package var body: ItemAnswer?
        /// In place of the body, where the answer got too long.
        package var id: String?
        package var notApplied: [String]?
        package var problem: ServerProblem?
    }

    package var results: [Result]
}
