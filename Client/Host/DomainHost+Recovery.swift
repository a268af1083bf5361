import BasketSupport
import FileProvider
import FileProviderReplica

// What an earlier replica has left, whose database is gone.
extension DomainHost {
    /// Brings files back that only this device may have, once the provider's tree is known.
    func bringBack() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                return try await bringAllBack(&failures)
            } catch {
                world.log.warning(
                    "what is left of an earlier replica cannot be brought back yet",
                    ["error": .text("\(error)")])
                failures += 1
                try? await world.sleep(
                    Self.retryPause.after(failures: failures, jitter: jitter()))
            }
        }
    }

    /// One that cannot be had now keeps the others from nothing.
    /// - Parameter failures: how often it has failed since something came back.
    private func bringAllBack(_ failures: inout Int) async throws {
        var last = Int64.max
        var failure: (any Error)?
        while true {
            try Task.checkCancellation()
            let before = last
            let next = try replica.read { try $0.found(before: before, limit: 1) }.first
            guard let next else { break }
            guard try replica.read({ try $0.stage() }) == .following else {
                let count = replica.changes.count
                await replica.changes.wait(since: count)
                continue
            }
            last = next.file
            do {
                try await bringBack(next)
                failures = 0
            } catch {
                try Task.checkCancellation()
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func bringBack(_ found: FoundContent) async throws {
        // What cannot be looked at is not gone.
        guard try replica.contents.isThere(found.file) else {
            return try await replica.write { try $0.forgetFound(found.file) }
        }
        let found = try await replica.lookAgain(at: found)
        let size = try replica.contents.open(found.file).size()
        if let item = found.mark.item.map(NSFileProviderItemIdentifier.init(rawValue:)),
            try replica.read({ try $0.id(of: item) == nil })
        {
            // Where folders are told only to who looks, it may lie in one that nobody has looked into.
            try await workingSet.bringHome(item)
        }
        let folder = try await folder(at: found.mark.path.dropLast())
        let isWritten = try world.files.isWritten(replica.contents.path(found.file))
        try await replica.write {
            try $0.bringBack(found, size: size, isWritten: isWritten, in: folder)
        }
    }

    /// The folder of that path, made as far as it is missing.
    private func folder(at path: some Collection<String>) async throws -> NodeID {
        var folder = NodeID.root
        for name in path {
            try await list(folder)
            let parent = folder
            folder = try await replica.write { transaction in
                let holder = try transaction.reader.child(name, of: parent)
                if let holder, holder.kind == .folder { return holder.id }
                return try transaction.make(
                    transaction.reader.freeName(like: name, in: parent), in: parent, kind: .folder)
            }
        }
        try await list(folder)
        return folder
    }
}
