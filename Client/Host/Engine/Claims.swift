import FileProviderReplica

/// Nodes that a call is being made for, or that stand in a line to have one made. Each line has its end: however much
/// waits for one of them, who needs another one gets into that.
struct Claims: Sendable {
    /// So many stand in a line, with those whose turn it is: more than are called for at once, so that nobody has to
    /// wait until somebody is let in.
    static let mostInLine = 1024

    private var lines: [NodeID: CallCategory] = [:]
    private var counts: [CallCategory: Int] = [:]

    var isEmpty: Bool { lines.isEmpty }
    var count: Int { lines.count }
    var nodes: some Collection<NodeID> { lines.keys }

    func contains(_ id: NodeID) -> Bool { lines[id] != nil }

    /// For how many there is room still.
    func room(in line: CallCategory) -> Int {
        Self.mostInLine - counts[line, default: 0]
    }

    mutating func insert(_ id: NodeID, in line: CallCategory) {
        remove(id)
        lines[id] = line
        counts[line, default: 0] += 1
    }

    mutating func remove(_ id: NodeID) {
        if let line = lines.removeValue(forKey: id) { counts[line, default: 0] -= 1 }
    }
}
