import BasketConnection
import BasketContent
import BasketModels
import BasketProvider
import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// One device: an extension, and the little of a system that calls it. What it does again after a crash, it
/// does as a system does: with another instance and the same arguments.
final class Device: Sendable {
    let system: DeviceSystem
    let domain: NSFileProviderDomain
    let network: FaultyTransport
    let credentials: MemoryCredentials
    let folder: String
    private let environment: ProviderEnvironment
    private let instance: Mutex<BasketExtension>
    private let files = LinuxFileSystem()
    private let count = Mutex(0)

    init(
        _ name: String, _ server: TestServer, retries: RetryPolicy = .quick,
        events: EventRegistry = EventRegistry(), pollingPause: Duration = .seconds(60),
        streams: Bool = true, isLoggedIn: Bool = true, world: World? = nil
    ) async throws {
        let world = world ?? server.world
        let (_, session) = try await server.logIn(name)
        let folder = "\(server.folder)/\(name)-\(world.randomUInt64())"
        for part in ["temporary", "state", "contents"] {
            try files.makeFolder("\(folder)/\(part)")
        }
        let network = FaultyTransport(CurlTransport(try server.endpoint()))
        if !streams { network.refuseStreams() }
        let credentials = MemoryCredentials(
            isLoggedIn ? session.token : nil, device: session.device.description)
        let system = DeviceSystem(folder: folder)
        let domain = NSFileProviderDomain(
            record: DomainRecord(identifier: .init("Work"), displayName: "Work"), system: system)
        let environment = ProviderEnvironment(
            world: world, domain: "Work", deviceName: name, credentials: credentials,
            events: events, server: "\(server.port) \(name)", pollingPause: pollingPause
        ) { token in
            ServerConnection(
                transport: network, credentials: .token(token), world: world, retries: retries)
        }
        self.folder = folder
        self.network = network
        self.credentials = credentials
        self.system = system
        self.domain = domain
        self.environment = environment
        instance = Mutex(BasketExtension(domain: domain, environment: environment))
    }

    var provider: BasketExtension { instance.withLock { $0 } }

    /// The instance goes, and another one comes that knows nothing of it.
    func restart() {
        let fresh = BasketExtension(domain: domain, environment: environment)
        let old = instance.withLock { instance in
            defer { instance = fresh }
            return instance
        }
        old.invalidate()
    }

    // MARK: Files of the system's

    func file(_ bytes: [UInt8]) throws -> URL {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let path = "\(folder)/contents/\(number)"
        try files.create(path).write(bytes, at: 0)
        return URL(fileURLWithPath: path)
    }

    /// Takes over a file of the extension's.
    func take(_ url: URL) throws -> [UInt8] {
        defer { try? files.remove(url.path) }
        return try files.contents(of: url.path)
    }

    /// What lies where the extension puts files for the system.
    var temporaryFiles: [String] {
        get throws { try files.list(folder + "/temporary") }
    }

    // MARK: Calls

    private static let request = NSFileProviderRequest()

    func item(_ id: NSFileProviderItemIdentifier) async throws -> any NSFileProviderItemProtocol {
        let reply: Reply = try await answer { done in
            _ = provider.item(for: id, request: Self.request) { item, error in
                done(error, Reply(item: item, pending: [], shouldFetch: false))
            }
        }
        guard let item = reply.item else { throw CocoaError(.featureUnsupported) }
        return item
    }

    func create(
        _ template: TestItem, _ bytes: [UInt8]? = nil,
        fields: NSFileProviderItemFields = [
            .filename, .parentItemIdentifier, .contents, .creationDate, .contentModificationDate,
        ], options: NSFileProviderCreateItemOptions = []
    ) async throws -> Reply {
        let url = try bytes.map(file)
        return try await answer { done in
            _ = provider.createItem(
                basedOn: template, fields: fields, contents: url, options: options,
                request: Self.request
            ) { item, pending, fetch, error in
                done(error, Reply(item: item, pending: pending, shouldFetch: fetch))
            }
        }
    }

    func modify(
        _ item: TestItem, base: NSFileProviderItemVersion? = nil,
        _ fields: NSFileProviderItemFields, _ bytes: [UInt8]? = nil,
        options: NSFileProviderModifyItemOptions = []
    ) async throws -> Reply {
        let url = try bytes.map(file)
        return try await answer { done in
            _ = provider.modifyItem(
                item, baseVersion: base ?? item.itemVersion, changedFields: fields, contents: url,
                options: options, request: Self.request
            ) { item, pending, fetch, error in
                done(error, Reply(item: item, pending: pending, shouldFetch: fetch))
            }
        }
    }

    func delete(
        _ item: any NSFileProviderItemProtocol, options: NSFileProviderDeleteItemOptions = []
    ) async throws {
        let version =
            item.itemVersion
            ?? NSFileProviderItemVersion(
                contentVersion: Data(), metadataVersion: Data())
        let _: Bool = try await answer { done in
            _ = provider.deleteItem(
                identifier: item.itemIdentifier, baseVersion: version, options: options,
                request: Self.request
            ) { error in done(error, true) }
        }
    }

    func fetch(
        _ id: NSFileProviderItemIdentifier, isAwaited: Bool = true, length: Int64? = nil
    ) async throws -> (bytes: [UInt8], item: any NSFileProviderItemProtocol) {
        let (url, reply) = try await answer { (done: @escaping Done<(URL, Reply)>) in
            let request = NSFileProviderRequest(
                isSystemRequest: !isAwaited, contentLength: length)
            _ = provider.fetchContents(for: id, version: nil, request: request) {
                url, item, error in
                done(
                    error,
                    (
                        url ?? URL(fileURLWithPath: "/"),
                        Reply(item: item, pending: [], shouldFetch: false)
                    ))
            }
        }
        guard let item = reply.item else { throw CocoaError(.featureUnsupported) }
        return (try take(url), item)
    }

    // MARK: Enumerations

    func list(
        _ container: NSFileProviderItemIdentifier, from page: NSFileProviderPage? = nil,
        size: Int = 200
    ) async throws -> Listing.Told {
        let enumerator = try provider.enumerator(for: container, request: Self.request)
        let start =
            page ?? NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
        return try await answer { done in
            enumerator.enumerateItems(
                for: Listing(size: size) { result in
                    switch result {
                    case .success(let told): done(nil, told)
                    case .failure(let error): done(error, Listing.Told())
                    }
                }, startingAt: start)
        }
    }

    /// Every item of a container, and how many pages they came in.
    func all(
        _ container: NSFileProviderItemIdentifier, size: Int = 200
    ) async throws -> (items: [any NSFileProviderItemProtocol], pages: Int) {
        var items: [any NSFileProviderItemProtocol] = []
        var page: NSFileProviderPage?
        var pages = 0
        repeat {
            let told = try await list(container, from: page, size: size)
            items += told.items
            page = told.page
            pages += 1
        } while page != nil
        return (items, pages)
    }

    func anchor() async throws -> NSFileProviderSyncAnchor {
        let enumerator = try provider.enumerator(for: .workingSet, request: Self.request)
        let anchor: NSFileProviderSyncAnchor? = try await answer { done in
            enumerator.currentSyncAnchor { done(nil, $0) }
        }
        guard let anchor else { throw NSFileProviderError(.serverUnreachable) }
        return anchor
    }

    func changes(
        since anchor: NSFileProviderSyncAnchor, size: Int = 200
    ) async throws -> Listing.Told {
        let enumerator = try provider.enumerator(for: .workingSet, request: Self.request)
        return try await answer { done in
            enumerator.enumerateChanges(
                for: Listing(size: size) { result in
                    switch result {
                    case .success(let told): done(nil, told)
                    case .failure(let error): done(error, Listing.Told())
                    }
                }, from: anchor)
        }
    }

    func search(_ words: String, from page: NSFileProviderPage?) async throws -> Findings.Told {
        let request = NSFileProviderStringSearchRequest(query: words, desiredNumberOfResults: 10)
        let enumerator = provider.searchEnumerator(for: request)
        return try await answer { done in
            enumerator.enumerateSearchResults(
                for: Findings { result in
                    switch result {
                    case .success(let told): done(nil, told)
                    case .failure(let error): done(error, Findings.Told())
                    }
                }, startingAt: page)
        }
    }

    func perform(
        _ action: ItemAction, on items: [NSFileProviderItemIdentifier]
    ) async throws {
        let _: Bool = try await answer { done in
            _ = provider.performAction(
                identifier: action.identifier, onItemsWithIdentifiers: items
            ) { error in done(error, true) }
        }
    }

    // MARK: Waiting

    typealias Done<Value> = @Sendable ((any Error)?, Value) -> Void

    func answer<Value: Sendable>(
        _ call: (@escaping Done<Value>) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { error, value in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: value)
                }
            }
        }
    }
}
