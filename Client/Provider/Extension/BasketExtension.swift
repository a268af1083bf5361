import BasketConnection
import BasketSupport
import FileProvider
import Foundation
import Synchronization

/// Basket's own File Provider extension: the system's calls on one side, the server's API on the other.
///
/// It keeps no copy of the domain. What it must remember lies in the domain's state directory, and whatever
/// it does can be asked for again by another instance: nothing is lost by that, and nothing done twice.
package final class BasketExtension: NSObject, NSFileProviderReplicatedExtension,
    CompleteWorkingSet,
    Sendable
{
    /// What answers calls; nil where the domain does not say enough of its server.
    struct Parts: Sendable {
        let session: ProviderSession
        let fetcher: ContentFetcher
        let partFetcher: PartFetcher
        let creator: ItemCreator
        let modifier: ItemModifier
        let deleter: ItemDeleter
        let actions: ItemActions
    }

    private let parts: Mutex<Result<Parts, any Error>>
    /// Makes them once more, where the disk did not give what they are made of.
    private let make: @Sendable () throws -> Parts
    /// What there is to answer with where there are no parts.
    private let idle: CallRegistry

    package convenience init(domain: NSFileProviderDomain) {
        self.init(domain: domain, log: Self.processLog.withLock { $0 })
    }

    /// - Parameter log: where it says what happens to it, on lines that name the domain.
    package init(domain: NSFileProviderDomain, log: Log) {
        let world = World.live(log: log.with("domain", .text(domain.identifier.rawValue)))
        make = { try Self.parts(of: domain, in: .live(domain, world)) }
        let first = Result(catching: make)
        parts = Mutex(first)
        idle = CallRegistry(world: world)
        if case .failure(let error) = first {
            world.log.error(
                "the domain cannot be served",
                ["reason": .text(SystemError.of(error).localizedDescription)])
        }
    }

    /// Who makes instances by the domain alone, as the API has it, cannot hand a log to them.
    private static let processLog = Mutex(Log.silent)

    /// Where instances say what happens to them that are made from now on by their domain alone.
    package static func writeLog(to log: Log) {
        processLog.withLock { $0 = log }
    }

    /// - Parameter environment: everything from outside.
    package init(domain: NSFileProviderDomain, environment: ProviderEnvironment) {
        make = { try Self.parts(of: domain, in: environment) }
        parts = Mutex(Result(catching: make))
        idle = CallRegistry(world: environment.world)
    }

    private static func parts(
        of domain: NSFileProviderDomain, in environment: ProviderEnvironment
    ) throws -> Parts {
        let world = environment.world
        // Without a system there is nothing that lasts, and nobody who calls.
        let folder = try? NSFileProviderManager(for: domain)?.stateDirectoryURL().path
        let device = try DeviceState(
            folder: folder, name: environment.deviceName, world: world)
        let session = ProviderSession(
            environment, device: device, signals: SystemSignals(domain))
        let operations = ItemOperations(session)
        let copies = ConflictCopies(session: session, operations: operations)
        let creations = OwnCreations()
        let modifier = ItemModifier(
            session: session, operations: operations, copies: copies, creations: creations)
        let files = TemporaryFiles(domain, world: world)
        files.clean()
        session.start()
        return Parts(
            session: session,
            fetcher: ContentFetcher(session: session, files: files),
            partFetcher: PartFetcher(
                session: session, files: files, shortestChecked: environment.shortestCheckedPart),
            creator: ItemCreator(
                session: session, operations: operations, modifier: modifier.asAnother(),
                copies: copies, creations: creations),
            modifier: modifier, deleter: ItemDeleter(session: session, operations: operations),
            actions: ItemActions(session: session, operations: operations))
    }

    deinit {
        if case .success(let parts) = parts.withLock({ $0 }) { parts.session.close() }
    }

    package func invalidate() {
        idle.close()
        if case .success(let parts) = parts.withLock({ $0 }) { parts.session.close() }
    }

    /// The session, for what is known without asking.
    var session: ProviderSession? { try? requireParts().session }

    /// A disk that does not give something for a moment gives it later.
    func requireParts() throws -> Parts {
        try parts.withLock { parts in
            if case .failure(let error) = parts, error is FileError, !idle.isClosed {
                parts = Result(catching: make)
            }
            return try parts.get()
        }
    }

    /// Begins a call.
    func begin<Answer: Sendable>(
        _ work: @escaping @Sendable (Parts, CallProgress) async throws -> Answer,
        finish: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        unheard: @escaping @Sendable (Parts, Answer) -> Void = { _, _ in }
    ) -> Progress {
        switch Result(catching: { try requireParts() }) {
        case .success(let parts):
            parts.session.calls.begin(
                { try await work(parts, $0) }, finish: finish, unheard: { unheard(parts, $0) })
        case .failure(let error):
            idle.begin({ _ in throw error }, finish: finish)
        }
    }

    // MARK: Items

    package func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable ((any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        begin { parts, _ in
            guard identifier != .workingSet else {
                throw ProviderFailure.noSuchItem(identifier)
            }
            if identifier == .trashContainer, try await !parts.session.facts().hasTrash {
                throw ProviderFailure.noSuchItem(identifier)
            }
            return try await parts.session.about(identifier) {
                try await parts.session.freshItem(identifier.serverID)
            }
        } finish: { result in
            switch result {
            case .success(let item): completionHandler(item, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    package func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator {
        let session: ProviderSession
        do {
            session = try requireParts().session
        } catch {
            throw SystemError.of(error)
        }
        switch containerItemIdentifier {
        case .workingSet: return WorkingSetEnumerator(session: session)
        case .trashContainer where session.knownFacts?.hasTrash == false:
            throw CocoaError(.featureUnsupported)
        default: return FolderEnumerator(containerItemIdentifier, session: session)
        }
    }

    // MARK: What there is to be heard

    /// Everything is followed, whatever is on the disk.
    package func materializedItemsDidChange(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }

    package func pendingItemsDidChange(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }

    package func importDidFinish(completionHandler: @escaping @Sendable () -> Void) {
        completionHandler()
    }
}
