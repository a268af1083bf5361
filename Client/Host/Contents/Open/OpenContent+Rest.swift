import BasketSupport
import FileProvider
import FileProviderReplica
import Synchronization

// What no node holds any more, and is not all here: who has begun to read it gets the rest all the same.
extension OpenContent {
    /// What is missing of it; nil when nothing is.
    ///
    /// - Throws: `LocalError.stale` when nobody can have it.
    func rest() async throws -> RestOfContent? {
        try openFile()
        state.withLock { $0.isDetached = true }
        if let rest = try known() { return rest.isWhole ? nil : rest.rest }
        // Nothing of it has come before, or somebody has taken it away.
        try await gate.alone { if try known() == nil { try await beginEmpty() } }
        return try known()?.rest
    }

    /// Nil while there is no file.
    private func known() throws -> (rest: RestOfContent, isWhole: Bool)? {
        try state.withLock { state in
            guard case .version(let version) = state.seen.content,
                let identifier = state.seen.identifier
            else { throw LocalError.stale }
            guard let file = state.file, let number = state.seen.file else { return nil }
            let rest = RestOfContent(
                identifier: identifier, version: version, size: state.seen.size, number: number,
                file: file, ranges: state.ranges)
            return (rest, state.seen.isWhole)
        }
    }

    /// A file of its own, that nobody else will ever see.
    private func beginEmpty() async throws {
        let number = try await replica.nextFile()
        _ = try replica.contents.create(number)
        do {
            let file = try replica.contents.openToChange(number)
            try file.resize(to: state.withLock { $0.seen.size })
            let hold = replica.contents.hold(number)
            state.withLock { state in
                state.generation += 1
                state.file = file
                state.hold = hold
                state.seen.file = number
                state.seen.isWhole = false
                state.ranges = ContentRanges()
                state.ownFiles.append(number)
            }
        } catch {
            replica.discardUnlessNamed(number)
            throw error
        }
    }

    /// Bytes have come into a file.
    func add(_ parts: [Range<Int64>], to file: any ChangeableFile) {
        state.withLock { state in
            // It may have become a node's again, in another file.
            guard state.file === file, !state.seen.isWhole else { return }
            for part in parts { state.ranges.add(part.clamped(to: 0..<state.seen.size)) }
            state.seen.isWhole = state.ranges.contains(0..<state.seen.size)
        }
    }
}
