import FileProviderReplica

/// Which item is meant: by exactly one of its names.
package struct ControlItem: Codable, Sendable, Equatable {
    /// From the domain's root down, without a slash at either end; the root's own is empty.
    package var path: String?
    package var identifier: String?
    package var node: Int64?

    package init(path: String) { self.path = path }
    package init(identifier: String) { self.identifier = identifier }
    package init(node: NodeID) { self.node = node.rawValue }

    /// As it is shown in a message.
    var text: String {
        path.map { $0.isEmpty ? "the domain" : "“\($0)”" } ?? identifier.map { "“\($0)”" }
            ?? node.map { "node \($0)" }
            ?? "no item"
    }

    var isOne: Bool {
        [path != nil, identifier != nil, node != nil].filter(\.self).count == 1
    }
}
