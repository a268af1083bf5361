import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

/// The extension's calls, as functions that return what it answered. Cancelling the task cancels the call.
struct ExtensionCalls: Sendable {
    let provider: any NSFileProviderReplicatedExtension & Sendable
    let watch: CallWatch
    let running = RunningCalls()
    /// Hears each version of the domain that the extension tells.
    let noteVersion: @Sendable (Int64) async -> Void
    /// Whether it may be called, and what tells that this may be another way now.
    let readiness: @Sendable () throws -> CallReadiness
    let changes: ReplicaChanges
    let uploads: Transfers
    let downloads: Transfers
    /// How many calls of a kind the extension has in its hands at a time, where it has declared that.
    let uploadPlaces: Turns
    let downloadPlaces: Turns
    /// How long an item's content is, as far as that is known.
    let size: @Sendable (NSFileProviderItemIdentifier) -> Int64

    func transfers(_ kind: Progress.FileOperationKind) -> Transfers? {
        switch kind {
        case .uploading: uploads
        case .downloading: downloads
        default: nil
        }
    }

    func isConnected() throws -> Bool { try readiness() == .ready }

    /// Does something for which the extension is called, once it may be; and anew, when calls end because what is
    /// here is being put in order: what the provider called things before means nothing then, and is looked up again.
    func whenSettled<Result>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            try await waitUntilSettled()
            do {
                return try await body()
            } catch HostError.disconnected {
                if try readiness() == .disconnected { throw HostError.disconnected }
            }
        }
    }

    /// The same for what is not to be done twice: what has begun is not begun anew, whatever came of it.
    func onceSettled<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await waitUntilSettled()
        do {
            return try await body()
        } catch HostError.disconnected {
            throw try readiness() == .disconnected ? HostError.disconnected : .interrupted
        }
    }

    /// Returns once what the provider calls things is known, or it is not to be asked at all.
    func waitUntilSettled() async throws {
        while true {
            let count = changes.count
            guard try readiness() == .settling else { return }
            await changes.wait(since: count)
            try Task.checkCancellation()
        }
    }

    func call<Value: Sendable>(
        _ begin: (Once<Value>) -> Progress
    ) async throws -> Value {
        let once = Once<Value>()
        return try await answer(to: once) { once.began(begin(once)) }
    }

    /// A call that moves bytes: they are counted.
    private func transfer<Value: Sendable>(
        _ item: NSFileProviderItemIdentifier, _ size: Int64, in transfers: Transfers,
        fetching: NSFileProviderItemIdentifier? = nil, _ begin: (Once<Value>) -> Progress
    ) async throws -> Value {
        let once = Once<Value>()
        let number = transfers.begin(
            Transfer(item: item.rawValue, size: size) { once.movement.fraction })
        do {
            let value = try await answer(to: once, fetching: fetching) {
                once.began(begin(once))
            }
            transfers.end(number, isComplete: true)
            return value
        } catch {
            transfers.end(number, isComplete: false)
            throw error
        }
    }

    /// A call that brings bytes.
    private func bring<Value: Sendable>(
        _ item: NSFileProviderItemIdentifier, _ size: Int64, _ request: NSFileProviderRequest,
        _ begin: (Once<Value>) -> Progress
    ) async throws -> Value {
        try await downloadPlaces.take(isAwaited: !request.isSystemRequest) {
            try await transfer(
                item, size, in: downloads, fetching: request.isSystemRequest ? item : nil, begin)
        }
    }

    /// A call that hands over a content, or none.
    private func send<Value: Sendable>(
        _ template: ItemTemplate, _ contents: URL?, _ begin: (Once<Value>) -> Progress
    ) async throws -> Value {
        guard contents != nil else { return try await call(begin) }
        return try await uploadPlaces.take(isAwaited: false) {
            try await transfer(
                template.itemIdentifier, template.documentSize?.int64Value ?? 0, in: uploads,
                begin)
        }
    }

    /// The first answer to a call, or the error with which it was given up.
    /// - Parameter fetching: the item whose bytes it brings for nobody.
    func answer<Value: Sendable>(
        to once: Once<Value>, within patience: Duration? = nil,
        fetching: NSFileProviderItemIdentifier? = nil, _ begin: () throws -> Void
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await wait(for: once, patience ?? watch.patience, fetching, begin))
        } catch {
            result = .failure(error)
        }
        // Whatever was answered: what is noticed from now on is noticed under this version.
        if let state = provider as? any NSFileProviderDomainState {
            await noteVersion(state.domainVersion.stored)
        }
        return try result.get()
    }

    private func wait<Value: Sendable>(
        for once: Once<Value>, _ patience: Duration, _ fetching: NSFileProviderItemIdentifier?,
        _ begin: () throws -> Void
    ) async throws -> Value {
        let watch = CallWatch(world: watch.world, patience: patience)
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            // Before it is looked: whoever disconnects finds it, or is found by it.
            let number = try running.add(once, fetching: fetching)
            defer { running.remove(number) }
            guard try isConnected() else { throw HostError.disconnected }
            try begin()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await watch.watch(once) }
                defer { group.cancelAll() }
                return try await withCheckedThrowingContinuation { once.wait($0) }
            }
        } onCancel: {
            once.cancel()
        }
    }

    /// Tells the extension something to which there is no answer.
    func tell(
        _ call:
            @escaping @Sendable (any NSFileProviderReplicatedExtension & Sendable) async -> Void
    ) async throws {
        let once = Once<Void>()
        let provider = provider
        try await answer(to: once, within: Self.attention) {
            _ = watch.world.spawn {
                await call(provider)
                once.answer(.success(()))
            }
        }
    }

    /// What the extension told, and nobody could take.
    func note(_ refused: [HostError]) {
        for error in refused.prefix(Self.mostNotes) {
            watch.world.log.warning(
                "something that the extension tells cannot be taken",
                ["error": .text(error.message)])
        }
    }

    private static let mostNotes = 20

    /// What is only told takes seconds.
    private static let attention = Duration.seconds(10)

    /// What an enumerator says of the present state; nil when it has no anchors. One that is longer than it may be is
    /// none: whoever has those has everything told each time.
    func anchor(of enumerator: any NSFileProviderEnumerator) async throws
        -> NSFileProviderSyncAnchor?
    {
        let asked = AskedEnumerator(enumerator: enumerator)
        let once = Once<NSFileProviderSyncAnchor?>()
        let anchor = try await answer(to: once) {
            // Its own task: one that never ends is left behind.
            _ = watch.world.spawn {
                once.answer(.success(await asked.enumerator.currentSyncAnchor()))
            }
        }
        guard let anchor, anchor.rawValue.count > NSFileProviderSyncAnchor.mostBytes else {
            return anchor
        }
        note([.badEnumeration("an anchor has \(anchor.rawValue.count) bytes")])
        return nil
    }

    /// Extensions' objects are called from any thread, as the API says.
    private struct AskedEnumerator: @unchecked Sendable {
        let enumerator: any NSFileProviderEnumerator
    }

    func item(
        _ identifier: NSFileProviderItemIdentifier, _ request: NSFileProviderRequest
    ) async throws -> RemoteItem {
        try await call { once in
            provider.item(for: identifier, request: request) { item, error in
                once.answer(Self.result(item, error))
            }
        }
    }

    /// - Parameter hold: what is handed over stays where it is for as long as the extension has the handler,
    ///   also after the call was given up.
    func create(
        _ template: ItemTemplate, fields: NSFileProviderItemFields, contents: URL?,
        holding hold: ContentHold?, options: NSFileProviderCreateItemOptions,
        _ request: NSFileProviderRequest
    ) async throws -> Reply {
        try await send(template, contents) { once in
            provider.createItem(
                basedOn: template, fields: fields, contents: contents, options: options,
                request: request
            ) { item, pending, shouldFetch, error in
                once.answer(Self.reply(item, pending, shouldFetch, error))
                withExtendedLifetime(hold) {}
            }
        }
    }

    func modify(
        _ template: ItemTemplate, base: NSFileProviderItemVersion,
        fields: NSFileProviderItemFields, contents: URL?, holding hold: ContentHold?,
        options: NSFileProviderModifyItemOptions, _ request: NSFileProviderRequest
    ) async throws -> Reply {
        try await send(template, contents) { once in
            provider.modifyItem(
                template, baseVersion: base, changedFields: fields, contents: contents,
                options: options, request: request
            ) { item, pending, shouldFetch, error in
                once.answer(Self.reply(item, pending, shouldFetch, error))
                withExtendedLifetime(hold) {}
            }
        }
    }

    func delete(
        _ identifier: NSFileProviderItemIdentifier, base: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, _ request: NSFileProviderRequest
    ) async throws {
        try await call { (once: Once<Void>) in
            provider.deleteItem(
                identifier: identifier, baseVersion: base, options: options, request: request
            ) { error in once.answer(error.map { .failure($0) } ?? .success(())) }
        }
    }

    func fetch(
        _ identifier: NSFileProviderItemIdentifier, _ request: NSFileProviderRequest
    ) async throws -> (file: URL, item: RemoteItem) {
        try await bring(identifier, size(identifier), request) { once in
            provider.fetchContents(for: identifier, version: nil, request: request) {
                once.answer(Self.fetched($0, $1, $2, of: identifier))
            }
        }
    }

    /// With the content of an earlier version at hand, of which much may be the same.
    func fetch(
        _ identifier: NSFileProviderItemIdentifier, using existing: URL,
        _ version: NSFileProviderItemVersion, _ request: NSFileProviderRequest
    ) async throws -> (file: URL, item: RemoteItem) {
        guard
            let incremental = provider as? any NSFileProviderIncrementalContentFetching
        else { return try await fetch(identifier, request) }
        return try await bring(identifier, size(identifier), request) { once in
            incremental.fetchContents(
                for: identifier, version: nil, usingExistingContentsAt: existing,
                existingVersion: version, request: request
            ) { once.answer(Self.fetched($0, $1, $2, of: identifier)) }
        }
    }

    /// Whether it can give parts of contents.
    var givesParts: Bool { provider is any NSFileProviderPartialContentFetching }

    /// A part of one version's content.
    /// - Parameter isStrict: whether another version is of no use.
    func fetchPart(
        _ identifier: NSFileProviderItemIdentifier, _ version: NSFileProviderItemVersion,
        _ range: Range<Int64>, alignment: Int, isStrict: Bool, _ request: NSFileProviderRequest
    ) async throws -> FetchedPart {
        guard let partial = provider as? any NSFileProviderPartialContentFetching else {
            throw CocoaError(.featureUnsupported)
        }
        return try await bring(identifier, Int64(range.count), request) { once in
            partial.fetchPartialContents(
                for: identifier, version: version, request: request,
                minimalRange: NSRange(location: Int(range.lowerBound), length: range.count),
                aligningTo: alignment, options: isStrict ? .strictVersioning : []
            ) { once.answer(Self.part($0, $1, $2, $3, $4, of: identifier, asked: range)) }
        }
    }

    // MARK: Answers

    private static func part(
        _ file: URL?, _ item: (any NSFileProviderItemProtocol)?, _ range: NSRange,
        _ flags: NSFileProviderMaterializationFlags, _ error: (any Error)?,
        of identifier: NSFileProviderItemIdentifier, asked: Range<Int64>
    ) -> Result<FetchedPart, any Error> {
        if let error { return .failure(error) }
        guard let file, let item, range.location >= 0, range.length >= 0,
            range.length <= Int.max - range.location
        else {
            return .failure(HostError.badAnswer("a part without file, item or range"))
        }
        let start = Int64(range.location)
        return Result {
            let item = try read(item, as: identifier)
            let range = start..<start + Int64(range.length)
            // Only of a whole file can it be said that what is a hole is zeros.
            let isWhole = range.lowerBound == 0 && range.upperBound >= item.size
            return FetchedPart(
                file: file, item: item, range: range, asked: asked,
                hasTrueHoles: isWhole && flags.contains(.knownSparseRanges))
        }
    }

    private static func result(
        _ item: (any NSFileProviderItemProtocol)?, _ error: (any Error)?
    ) -> Result<RemoteItem, any Error> {
        if let error { return .failure(error) }
        guard let item else { return .failure(HostError.badAnswer("neither item nor error")) }
        return Result { try ItemReader.read(item) }
    }

    private static func reply(
        _ item: (any NSFileProviderItemProtocol)?, _ pending: NSFileProviderItemFields,
        _ shouldFetch: Bool, _ error: (any Error)?
    ) -> Result<Reply, any Error> {
        if let error { return .failure(error) }
        return Result {
            Reply(
                item: try item.map { try ItemReader.read($0) }, pending: pending,
                shouldFetch: shouldFetch)
        }
    }

    private static func read(
        _ item: any NSFileProviderItemProtocol, as asked: NSFileProviderItemIdentifier
    ) throws(HostError) -> RemoteItem {
        let item = try ItemReader.read(item)
        guard item.identifier == asked else {
            throw .badAnswer(
                "\(asked.rawValue) was asked for, and \(item.identifier.rawValue) came")
        }
        return item
    }

    private static func fetched(
        _ file: URL?, _ item: (any NSFileProviderItemProtocol)?, _ error: (any Error)?,
        of asked: NSFileProviderItemIdentifier
    ) -> Result<(file: URL, item: RemoteItem), any Error> {
        if let error { return .failure(error) }
        guard let file, let item else {
            return .failure(HostError.badAnswer("a fetch without file or item"))
        }
        return Result { (file, try read(item, as: asked)) }
    }
}
