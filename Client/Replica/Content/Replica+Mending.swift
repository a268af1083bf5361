import BasketDatabase
import BasketSupport
import FileProvider

// What a crash of the machine leaves.
extension Replica {
    /// After a crash of the machine, files that were not durable hold anything. What the provider has is
    /// fetched again. What was written here and is not whole must not be sent in place of what is: it stays
    /// beside it, under a name that says what it is.
    /// - Parameter isAll: false for those alone that nobody could look at after an earlier crash.
    func mendAfterCrash(isAll: Bool) async throws {
        // Those first in whose place another one comes again, of which it is known still whether it is safe itself.
        let files: [Int64] = try read { reader in
            try reader.db.all(
                """
                SELECT file FROM volatile WHERE ?1 OR isUnseen <> 0
                ORDER BY file IN (SELECT file FROM predecessor) DESC, file
                """, isAll
            ) { row throws(SQLiteError) in try row[0] }
        }
        for file in files {
            do {
                try await mend(file)
            } catch let error as FileError {
                // What cannot be looked at is not gone, and keeps nobody from the others.
                world.log.error(
                    "it cannot be told what the crash has left of a file",
                    ["file": .number(file), "error": .text("\(error)")])
                try await write { try $0.mend(unreadable: file) }
            }
        }
    }

    private func mend(_ file: Int64) async throws {
        let proven = try read { try $0.proven(file) }
        let remains = try Remains(of: file, in: contents, proven: proven)
        // Nobody needs to look at what it was written in place of where it is whole.
        let former = try isDamaged(file, remains) ? predecessor(of: file) : nil
        try await write { try $0.mend(file, remains, former) }
        // What is left of it is another item's from now on.
        for file in [file, former?.file].compactMap(\.self) {
            do {
                try remark(file)
            } catch let error as FileError {
                world.log.warning(
                    "what a file is cannot be noted at it",
                    ["file": .number(file), "error": .text("\(error)")])
            }
        }
    }

    private func isDamaged(_ file: Int64, _ remains: Remains?) throws -> Bool {
        try read { reader in
            let holder = try reader.node(file: file)
            guard let size = try holder?.size ?? reader.rescued(file)?.size else { return false }
            if let holder, try reader.isBegun(holder.id) { return true }
            return remains?.isWhole(ofSize: size) != true
        }
    }

    /// The same for what an earlier replica has left, and is not back yet: what is not whole is no newer content of its
    /// item, and comes back beside that.
    func doubtFound() async throws {
        var last: Int64 = 0
        while true {
            let after = last
            let left = try read { try $0.undoubted(after: after, limit: Self.doubtedAtOnce) }
            guard let newest = left.last else { return }
            last = newest.file
            var (doubtful, unseen): ([FoundContent], [FoundContent]) = ([], [])
            for content in left {
                do {
                    if try !isWhole(content) { doubtful.append(content) }
                } catch is FileError {
                    unseen.append(content)
                }
            }
            if doubtful.isEmpty, unseen.isEmpty { continue }
            let found = (doubtful, unseen)
            try await write { transaction in
                try transaction.doubt(found.0)
                for content in found.1 { try transaction.noteFound(content.file, .unseen) }
            }
        }
    }

    /// What nobody could look at then is looked at before it comes back.
    /// - Returns: what it is then.
    package func lookAgain(at found: FoundContent) async throws -> FoundContent {
        guard try read({ try $0.doubt(about: found.file) }) == .unseen else { return found }
        let isWhole = try isWhole(found)
        try await write { transaction in
            if isWhole {
                try transaction.noteFound(found.file, .none)
            } else {
                try transaction.doubt([found])
            }
        }
        return try read { try $0.found(before: found.file + 1, limit: 1) }.first ?? found
    }

    private static let doubtedAtOnce = 500

    /// Who had begun to write it anew may not have come far.
    private func isWhole(_ found: FoundContent) throws -> Bool {
        guard let remains = try Remains(of: found.file, in: contents) else { return true }
        guard let size = found.mark.size, size > 0 else { return false }
        return remains.isWhole(ofSize: size)
    }

    /// - Returns: what was there before, where it is whole.
    private func predecessor(of file: Int64) throws -> Predecessor? {
        guard let former = try read({ try $0.predecessor(of: file) }),
            try read({ try $0.node(file: former.file) })?.trees.local == nil,
            let remains = try Remains(
                of: former.file, in: contents, proven: read { try $0.proven(former.file) })
        else { return nil }
        // What is safe may have holes of its own.
        let isSafe = try !read { try $0.isVolatile(former.file) }
        let isWhole =
            isSafe ? remains.size >= former.size : remains.isWhole(ofSize: former.size)
        return isWhole ? former : nil
    }

    private func remark(_ file: Int64) throws {
        let mark = try read { reader -> ContentMark? in
            guard let node = try reader.node(file: file), node.hasOnlyCopy else { return nil }
            return try reader.mark(of: node)
        }
        if let mark, try contents.isThere(file) { try contents.set(mark, at: file) }
    }
}
