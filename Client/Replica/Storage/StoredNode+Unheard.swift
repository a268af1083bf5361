import FileProvider

// A device never conflicts with itself: what the provider tells of a change that this device has asked for is nobody
// else's word, though its answer was never heard, and a person may have said something newer since then.
extension StoredNode {
    /// More than these are not remembered of one item: the first, which went out while somebody could be reached, and
    /// the last ones.
    private static let mostUnheard = 8

    /// Notes what the provider is asked to change from now on.
    package mutating func ask(_ fields: NSFileProviderItemFields, of entry: Entry) {
        guard let change = UnheardChange(fields, of: entry), unheard.last != change else { return }
        unheard.append(change)
        if unheard.count > Self.mostUnheard { unheard.remove(at: 1) }
    }

    /// What of that may have been done. It is sent as it is now, even if that is what it was before.
    package var unheardFields: NSFileProviderItemFields {
        unheard.reduce([]) { $0.union($1.fields) }
    }

    /// Where the provider may have it by now, because it was asked to, and it is not here.
    package var placesAskedFor: [Entry] {
        guard exclusion == .no else { return [] }
        let place: NSFileProviderItemFields = [.filename, .parentItemIdentifier]
        let asked = unheard.filter { !$0.fields.isDisjoint(with: place) }.map(\.entry)
        let removed = isUnanswered && trees.local == nil && trees.remote == nil ? trees.synced : nil
        return (asked + [removed].compactMap(\.self)).filter { trees.local?.isAt($0) != true }
    }

    /// From now on the provider is asked over what it has told last: it does not see any more that something else was
    /// said there since both agreed.
    package mutating func agreeOnMetadata() {
        if let remote = trees.remote, let synced = trees.synced, trees.local != nil,
            remote.attributes.extended != synced.attributes.extended
        {
            guard
                trees.local?.attributes.joinExtended(remote.attributes, since: synced.attributes)
                    == true
            else { return }
            trees.synced?.attributes.extended = remote.attributes.extended
        }
        agreeOnVersions()
    }

    /// In what the provider says what it was asked for.
    /// - Parameter changes: what it was asked to change.
    package static func echoes(
        of changes: some Sequence<UnheardChange>, in entry: Entry
    ) -> NSFileProviderItemFields {
        changes.reduce([]) { $0.union($1.fields(echoedBy: entry)) }
    }

    /// The provider tells another state than before. What this device has asked for is agreed on; what is different here
    /// by now is a change of that.
    /// - Parameter isAside: whether the other state is the one in which this device has put it aside.
    mutating func recogniseEchoes(isAside: Bool) {
        guard let local = trees.local, let remote = trees.remote, let synced = trees.synced
        else { return }
        guard isAside || !unheard.isEmpty else { return }
        let news = remote.fields(differingFrom: synced)
        var own = Self.echoes(of: unheard, in: remote)
        // However late that is told: it is nobody's wish.
        if isAside { own.insert(.filename) }
        own.formIntersection(news)
        let isAttributed = recogniseAttributes(in: remote, since: synced)
        guard !own.isEmpty || isAttributed else { return }
        trees.synced?.take(own, from: remote)
        let here = trees.synced.map { local.fields(differingFrom: $0) } ?? []
        // Where others have changed the same as somebody here, the provider has to see that. What a content was made of
        // is said beside that.
        let ofContent: NSFileProviderItemFields =
            here.contains(.contents) ? [.contents, .contentModificationDate] : []
        if here.subtracting(ofContent).isDisjoint(with: news.subtracting(own)) { agreeOnMetadata() }
        if here.isDisjoint(with: unheardFields) { unheard = [] }
    }

    /// Each attribute is a matter by itself: what others say of another one does not make it their word.
    /// - Returns: whether any was asked for.
    private mutating func recogniseAttributes(in remote: Entry, since synced: Entry) -> Bool {
        let asked = unheard.filter { $0.fields.contains(.extendedAttributes) }
            .map(\.entry.attributes.extended)
        let (old, new) = (synced.attributes.extended, remote.attributes.extended)
        let own = Set(old.keys).union(new.keys).filter { name in
            old[name] != new[name] && asked.contains { $0[name] == new[name] }
        }
        for name in own { trees.synced?.attributes.extended[name] = new[name] }
        return !own.isEmpty
    }
}
