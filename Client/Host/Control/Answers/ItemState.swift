import FileProviderReplica

/// An item, and what it waits for.
package struct ItemState: Codable, Sendable, Equatable {
    package var item: ItemSummary
    /// What is to be done next, in words.
    package var next: String
    /// Which other item has to come on before that.
    package var waitsFor: ItemSummary?
    package var trouble: TroubleState?

    /// - Parameter download: why its content is not here, though it is to be.
    init(_ node: StoredNode, _ reader: ReplicaReader, download: Trouble? = nil) throws {
        item = try ItemSummary(node, reader)
        let isHeld = try reader.isHeld(removalOf: node.id)
        next =
            isHeld
            ? "It waits until somebody says that so many removals are meant."
            : Planner.step(for: node, try reader.neighbours(of: node).around).words
        waitsFor = try node.waits.flatMap { try reader.node($0) }
            .map { try ItemSummary($0, reader) }
        let trouble = node.turn == nil ? nil : try reader.trouble(of: node.id)
        self.trouble = (trouble ?? download).map(TroubleState.init)
    }
}
