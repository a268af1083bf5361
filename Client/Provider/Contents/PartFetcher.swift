import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import FileProvider
import Foundation

/// Brings parts of contents from the server.
///
/// Of a part no hash is known, but of the chunks that it lies in. What is not short is fetched from the beginning of
/// its first chunk to the end of its last one, and held against their hashes: a long file comes by such parts. For a
/// short one, which somebody waits for, many times as much would have to come.
struct PartFetcher: Sendable {
    /// What came of a fetch, with the item that the bytes are of.
    struct Part: Sendable {
        let url: URL
        let item: BasketItem
        let range: NSRange
    }

    /// What has come into the file.
    private struct Arrival {
        let version: Version
        /// Of the whole content.
        let size: Int64
        let range: NSRange
    }

    let session: ProviderSession
    let files: TemporaryFiles
    let shortestChecked: Int64

    /// A part of a version's content, at its place in an otherwise empty file.
    /// - Parameter isStrict: whether a newer version is of no use where the one asked for is gone.
    func part(
        _ id: String, version: Version?, _ wanted: AlignedRange, isStrict: Bool,
        isAwaited: Bool, _ progress: CallProgress
    ) async throws -> Part {
        progress.expect(Int64(wanted.bytes.count))
        let (url, answer) = try await files.fill { file -> (BasketItem, NSRange) in
            async let asked = session.freshItem(id)
            let bring: (Version?) async throws -> Arrival? = { version in
                if Int64(wanted.bytes.count) >= shortestChecked {
                    return try await checked(id, version, wanted, into: file, isAwaited, progress)
                }
                return try await unchecked(id, version, wanted, into: file, isAwaited, progress)
            }
            let found: Arrival?
            do {
                found = try await bring(version)
            } catch let error as ConnectionError
                where error.code == "version_not_available" && !isStrict && version != nil
            {
                found = try await bring(nil)
            }
            guard let found else {
                // Behind the end of a content there is nothing.
                return (
                    try await asked, NSRange(location: Int(wanted.bytes.lowerBound), length: 0)
                )
            }
            var item = try await asked
            if version == nil, item.info.contentVersion != found.version {
                item = try await session.freshItem(id)
            }
            return (try await session.described(item, found.version, found.size), found.range)
        }
        return Part(url: url, item: answer.0, range: answer.1)
    }

    /// - Returns: nil where there is nothing.
    private func unchecked(
        _ id: String, _ version: Version?, _ wanted: AlignedRange, into file: any File,
        _ isAwaited: Bool, _ progress: CallProgress
    ) async throws -> Arrival? {
        guard
            let received = try await receive(
                id, version, wanted.bytes, into: file, isAwaited, progress)
        else { return nil }
        return Arrival(
            version: received.version, size: received.size, range: wanted.within(received.size))
    }

    /// - Returns: nil where there is nothing.
    private func checked(
        _ id: String, _ version: Version?, _ wanted: AlignedRange, into file: any File,
        _ isAwaited: Bool, _ progress: CallProgress
    ) async throws -> Arrival? {
        let answer: ChunksAnswer
        do {
            answer = try await session.call(isAwaited: isAwaited) { connection, domain in
                try await connection.chunks(
                    of: id, in: domain, version: version, part: wanted.bytes)
            }
        } catch let error as ConnectionError where error.code == "no_content" {
            return nil
        }
        let run = answer.run
        guard wanted.bytes.lowerBound < run.size else { return nil }
        guard wanted.isCovered(by: run) else {
            throw ConnectionError.badAnswer("the chunks are not those of the part asked for")
        }
        progress.expect(Int64(run.bytes.count))
        guard
            let received = try await receive(
                id, answer.version, run.bytes, holdingAgainst: run, into: file, isAwaited, progress),
            received.size == run.size
        else { throw ConnectionError.badAnswer("the chunks are not those of the content") }
        return Arrival(
            version: received.version, size: run.size, range: wanted.widened(to: run))
    }

    /// - Returns: nil where there is nothing.
    private func receive(
        _ id: String, _ version: Version?, _ range: Range<Int64>,
        holdingAgainst run: ChunkRun? = nil, into file: any File, _ isAwaited: Bool,
        _ progress: CallProgress
    ) async throws -> ReceivedContent? {
        do {
            return try await session.call(isAwaited: isAwaited) { connection, domain in
                let check = run.map(ChunkCheck.init)
                let received = try await connection.receiveContent(
                    of: id, in: domain, version: version, range: range
                ) { position, bytes in
                    try check?.take(bytes)
                    try file.write(bytes, at: position)
                    progress.reach(position + Int64(bytes.count) - range.lowerBound)
                }
                try check?.finish()
                return received
            }
        } catch let error as ConnectionError where error.code == "range_not_satisfiable" {
            return nil
        }
    }
}
