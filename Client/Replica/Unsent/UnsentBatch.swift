/// What one transaction has to say to the journal of what is unsent.
struct UnsentBatch: Sendable {
    enum Note: Sendable {
        case row(UnsentRow)
        case gone(NodeID)
        /// A file is to be removed, or has been, which is marked as one that nobody else has.
        case dropped(Int64)
        case removed(Int64)
        /// Something has got its numbers, and is to be moved out of an imported tree.
        case claimed(ArrivalRow)
        /// It is a node now, or stays where it was.
        case arrived(NodeID)
    }

    /// What the transaction is, besides one that has changed something.
    enum Part: Sendable {
        case change
        /// Of a walk through all nodes, after which the journal holds what it should, whatever it held before.
        case renewal(isFirst: Bool, isLast: Bool)
        /// Nothing is unsent, and what was known of folders is needed no more.
        case tidying
    }

    let part: Part
    let notes: [Note]
    let mark: UnsentMark
    /// It was more than is kept in memory: the journal has to be renewed.
    let isCutOff: Bool
}
