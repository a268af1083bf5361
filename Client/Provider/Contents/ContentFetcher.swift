import BasketConnection
import BasketContent
import BasketModels
import BasketSupport
import FileProvider
import Foundation

/// Brings contents from the server.
struct ContentFetcher: Sendable {
    /// What came of a fetch, with the item that the bytes are of.
    struct Fetched: Sendable {
        let url: URL
        let item: BasketItem
    }

    /// How often a content may change while it is fetched before that is given up.
    private static let mostRounds = 5

    /// An older content up to this saves less than it costs to ask what there is to save.
    private static let shortestOlder: Int64 = 512 << 10

    let session: ProviderSession
    let files: TemporaryFiles
    private let batcher: FetchBatcher

    init(session: ProviderSession, files: TemporaryFiles) {
        self.session = session
        self.files = files
        batcher = FetchBatcher(calls: session.calls) { wanted, each in
            try await session.call(isAwaited: false) { connection, domain in
                try await connection.receiveContents(wanted, in: domain, consumer: each)
            }
        }
    }

    /// The file was changed while it was fetched: what came is neither the old content nor the new one's.
    private struct Changed: Error {
        let version: Version
    }

    /// The present content, or the one of a version.
    func whole(
        _ id: String, version: Version?, for purpose: FetchPurpose, _ progress: CallProgress
    ) async throws -> Fetched {
        if purpose.isTogether, let fetched = try await together(id, version, progress) {
            return fetched
        }
        return try await alone(id, version, isAwaited: purpose.isAwaited, progress)
    }

    /// - Returns: nil for a content that does not travel with others.
    private func together(
        _ id: String, _ version: Version?, _ progress: CallProgress
    ) async throws -> Fetched? {
        let content: SmallContent
        do {
            guard
                let found = try await batcher.fetch(
                    ContentsRequest.Wanted(item: id, version: version))
            else { return nil }
            content = found
        } catch let error as ConnectionError {
            session.note(error)
            throw error
        }
        let size = Int64(content.bytes.count)
        progress.expect(size)
        let (url, item) = try await files.fill { file in
            try file.write(content.bytes, at: 0)
            await session.device.setLocks(content.item.locks, on: content.item.id)
            return try await session.described(session.item(content.item), content.version, size)
        }
        return Fetched(url: url, item: item)
    }

    /// The item and the content are asked for side by side: a small file takes as long as one request.
    private func alone(
        _ id: String, _ version: Version?, isAwaited: Bool, _ progress: CallProgress
    ) async throws -> Fetched {
        var wanted = version
        for _ in 1..<Self.mostRounds {
            do {
                return try await attempt(
                    id, wanted, isExact: version != nil, isAwaited, progress)
            } catch let changed as Changed {
                wanted = changed.version
            }
        }
        return try await attempt(id, wanted, isExact: true, isAwaited, progress)
    }

    private func attempt(
        _ id: String, _ version: Version?, isExact: Bool, _ isAwaited: Bool,
        _ progress: CallProgress
    ) async throws -> Fetched {
        let (url, item) = try await files.fill { file in
            async let asked = session.freshItem(id)
            let received = try await receive(id, version, into: file, isAwaited, progress)
            var item = try await asked
            if item.info.contentVersion != received.version, !isExact {
                // Whichever of the two is older: the item is now known to be new enough.
                item = try await session.freshItem(id)
                guard item.info.contentVersion == received.version else {
                    throw Changed(version: item.info.contentVersion)
                }
            }
            if item.info.contentVersion == received.version, let known = item.info.sha256 {
                // Whether or not the answer named a hash.
                guard received.hash == known else {
                    throw ConnectionError.badAnswer(
                        "the content's bytes are not those that its hash names")
                }
            }
            return try await session.described(item, received.version, received.size)
        }
        return Fetched(url: url, item: item)
    }

    private func receive(
        _ id: String, _ version: Version?, into file: any File, _ isAwaited: Bool,
        _ progress: CallProgress
    ) async throws -> ReceivedContent {
        try await session.call(isAwaited: isAwaited) { connection, domain in
            try await connection.download(
                id, in: domain, version: version, into: file,
                begins: { progress.expect($0) }, arrived: { progress.reach($0) })
        }
    }

    /// The present content, of which as much as possible is taken from an older one.
    func newer(
        _ id: String, version: Version?, than older: String, for purpose: FetchPurpose,
        _ progress: CallProgress
    ) async throws -> Fetched {
        guard let old = try oldFile(older), case let oldSize = try old.size(),
            oldSize > Self.shortestOlder
        else { return try await whole(id, version: version, for: purpose, progress) }
        let (url, item) = try await files.fill { file in
            let item = try await session.freshItem(id)
            progress.expect(item.info.size ?? 0)
            guard item.info.sha256 != nil else {
                let received = try await receive(
                    id, version, into: file, purpose.isAwaited, progress)
                return try await session.described(item, received.version, received.size)
            }
            let wanted = version ?? item.info.contentVersion
            let outcome = try await session.call(isAwaited: purpose.isAwaited) {
                connection, domain in
                try await ContentDownload(connection, domain: domain, item: id).run(
                    version: wanted, into: file, older: (old, oldSize)
                ) { progress.reach($0) }
            }
            return try await session.described(item, outcome.version, outcome.manifest.size)
        }
        return Fetched(url: url, item: item)
    }

    /// Nil for a file that cannot be read: then everything is fetched.
    private func oldFile(_ path: String) throws -> (any File)? {
        session.world.files.exists(path) ? try session.world.files.open(path) : nil
    }
}
