import BasketSupport

extension Replica {
    /// Mends the journal where it is not what it should be, and has no more in it than is needed.
    package func tidyUnsent() async throws {
        try journal.mend()
        if journal.needsRenewal {
            try await renewUnsent()
        } else if journal.needsTidying {
            try await write { $0.unsent.part = .tidying }
        }
        try journal.shrink()
    }

    /// Writes down anew all that is unsent. Where not all of it can be read any more, the journal stays as it is: it may
    /// be all that is left.
    func renewUnsent() async throws {
        try requireReadableUnsent()
        var last: NodeID? = .trash
        while let after = last { last = try await write { try $0.noteUnsent(after: after) } }
    }

    private func requireReadableUnsent() throws {
        var last = NodeID.trash
        while true {
            let after = last
            let nodes = try read { try $0.unsentCandidates(after: after) }
            guard let newest = nodes.last else { return }
            last = newest.id
        }
    }

    /// Has the journal be what it should be before anything is added to it.
    func catchUpUnsent() async throws {
        let mark = try read { try $0.unsentMark() }
        // What cannot be read is made anew: the database has all of it.
        if let mark, let known = try? journal.mark(), known.isSame(as: mark) {
            journal.setInStep()
        } else {
            try await renewUnsent()
        }
    }
}

extension UnsentMark {
    /// Whether nothing was noted in between.
    fileprivate func isSame(as other: UnsentMark) -> Bool {
        identity == other.identity && noted == other.noted
    }
}
