import BasketSupport

// The dates that a file system keeps by itself.
extension StoredNode {
    /// Something of it is another now than before.
    mutating func noteDates(since before: StoredNode, at now: Timestamp) {
        guard let local = trees.local, let old = before.trees.local else { return }
        let isDated = local.attributes.modified != old.attributes.modified
        // Whoever sets a folder's date means that one.
        if isDated { touched = nil }
        // Who has set a date knows what has changed.
        guard changed == before.changed else { return }
        let isOther = local.content != old.content
        // An answer gives what was written here another name, and nothing else.
        let isReplaced =
            isOther && !local.content.isEdit && !old.content.isEdit
            && (file == nil || file != before.file)
        if isReplaced || !local.isAt(old) || local.attributes.differs(from: old.attributes)
            || isDated && !local.content.isEdit
        {
            changed = now
        } else if isDated || isOther && local.content.isEdit,
            let modified = local.attributes.modified
        {
            // It was written then, and is noted now.
            changed = max(modified, changed ?? modified)
        }
    }
}

extension EntryAttributes {
    /// In what `stat` and the like tell, but for dates.
    fileprivate func differs(from other: EntryAttributes) -> Bool {
        flags != other.flags || extended != other.extended || tags != other.tags
            || typeAndCreator != other.typeAndCreator
    }
}
