import FileProviderReplica

/// Something that is stored of a domain and does not agree with the rest.
package struct ProblemEntry: Codable, Sendable, Equatable {
    /// Where the item lies that it is about; nil where it is about none, or that is nowhere any more.
    package var path: String?
    package var node: Int64?
    package var problem: String

    init(_ problem: ReplicaProblem, _ reader: ReplicaReader) throws {
        node = problem.node?.rawValue
        path = try problem.node.map { try reader.path(of: $0).joined(separator: "/") }
        self.problem = problem.text
    }
}
