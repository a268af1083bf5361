import BasketSupport
import FileProviderReplica

/// Holds removals back that are so many at once that they may be a mistake: a script that went wrong, a folder
/// that was dragged to where it should not be.
struct RemovalGuard: Sendable {
    let isOn: Bool

    /// So much may be removed within the span, however large the domain is,
    private static let most = 200
    /// or this part of what there is,
    private static let part = 5
    /// but never less than a person removes by hand.
    private static let least = 20
    private static let span = Duration.seconds(60)

    func holds(_ node: StoredNode, _ transaction: ReplicaTransaction) throws -> Bool {
        guard isOn, node.exclusion == .no else { return false }
        let reader = transaction.reader
        // Others that were held with it may be forgotten by now.
        if try reader.isHeld(removalOf: node.id) { return true }
        let nodes = try reader.nodeCount(upTo: Self.most * Self.part + 1)
        let limit = max(Self.least, min(Self.most, nodes / Self.part))
        let count = try reader.removals(around: node.id, within: Self.span, upTo: limit + 1)
        return (count ?? 0) > limit
    }
}
