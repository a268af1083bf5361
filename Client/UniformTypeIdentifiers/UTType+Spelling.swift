extension UTType {
    /// The type as a text that says all that is known of it: of one that only a program has declared, also what it
    /// conforms to.
    package var spelling: String {
        guard declaration == nil, !isDynamic else { return identifier }
        let table = TypeTable.shared
        let wider = adopted.map { table.declarations[$0].identifier }
        return ([identifier] + wider).joined(separator: ":")
    }

    /// The type of a spelling; nil for the mere identifier of one that nobody declared.
    package init?(spelling: String) {
        let parts = spelling.split(separator: ":", omittingEmptySubsequences: false).map(
            String.init)
        if let known = parts.first.flatMap({ UTType($0) }) {
            self = known
        } else {
            guard parts.count > 1, !parts[0].isEmpty else { return nil }
            let table = TypeTable.shared
            self.init(
                identifier: parts[0], declaration: nil,
                adopted: parts.dropFirst().compactMap { table.index(ofIdentifier: $0) })
        }
    }
}
