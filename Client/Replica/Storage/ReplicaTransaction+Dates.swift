import BasketDatabase

extension ReplicaTransaction {
    /// A program has changed names in folders that are no node's.
    package func noteNames(in folders: [NodeID]) {
        changes.noteProgram()
        for folder in folders { changes.note(namesIn: folder) }
    }

    /// Folders in which a name was made, removed or given to somebody else have another date from now on: those in which
    /// programs here have done that, and those that programs have listed, who may go by the date. Of one whose date was
    /// changed like that before, nobody knows whether they have.
    func noteDatesOfFolders(_ listed: ListedFolders) throws {
        let (folders, isByProgram) = changes.folders
        for folder in folders {
            let isMeant = isByProgram || listed.contains(folder)
            let isDated: Int? = try db.value(
                """
                UPDATE node SET touched = ?1, changed = ?1 WHERE id = ?2 AND (?3 OR touched IS NOT NULL)
                RETURNING 1
                """, now, folder, isMeant)
            // Of what is done through it, the kernel knows by itself.
            if isDated != nil, !isByProgram { changes.note(dateOf: folder) }
        }
    }
}
