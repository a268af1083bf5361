import BasketDatabase

extension ReplicaTransaction {
    /// Folders in which a name was made, removed or given to somebody else have another date from now on: those in which
    /// programs here have done that, and those that programs have listed, who may go by the date.
    func noteDatesOfFolders(_ listed: ListedFolders) throws {
        let (folders, isByProgram) = changes.folders
        for folder in folders where isByProgram || listed.contains(folder) {
            try db.run("UPDATE node SET touched = ?1, changed = ?1 WHERE id = ?2", now, folder)
            // Of what is done through it, the kernel knows by itself.
            if !isByProgram { changes.note(folder, in: nil) }
        }
    }
}
