import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// Keeps contents that lost a race, each as a file beside the one that won.
///
/// A copy is made by one creation, which bears a key: of a call that is repeated after any break there is
/// one copy, or none yet; and when the person has written on in between, it is the copy that is written on.
/// Days later the copy is known by its name and its bytes.
struct ConflictCopies: Sendable {
    /// How often others may get in the way before the system is asked to come again.
    private static let mostAttempts = 8

    let session: ProviderSession
    let operations: ItemOperations

    /// - Parameter base: what the writer had seen of the item.
    func keep(
        _ content: LocalContent, of item: ItemInfo, base: Version?, _ template: ItemTemplate
    ) async throws {
        let hash = try await content.hash()
        guard hash != item.sha256 else { return }
        guard try await !isKnown(hash, of: item.id, base: base) else { return }
        let facts = try await session.facts()
        let day = (template.modified ?? session.world.now()).rfc3339.prefix(10)
        let name = ConflictName(
            item.name, origin: session.environment.deviceName, day: String(day),
            rule: facts.caseRule)
        let replica = try await session.device.replica()
        func key(_ hash: ContentHash?) -> String {
            CreationKey(
                replica: replica, domain: facts.id, conflict: item.id, base: base, hash
            ).text
        }
        var request = CreateItemRequest(
            parent: item.parent.map { $0 == "trash" ? "root" : $0 } ?? "root", name: name.text,
            kind: .file)
        // Over one version a replica writes one line of contents; over none it may be anybody's.
        request.key = key(base == nil ? hash : nil)
        request.ifExists = .fail
        request.metadata.modified = template.modified.map { .set($0) } ?? .keep
        request.metadata.mode = item.mode.map { .set($0) } ?? .keep
        try await send(request, otherwise: key(hash), content, hash)
    }

    /// Whether the server had this content already, over the same base, before it got the present one: then
    /// its answer was lost, and whoever came after had seen it. So it is with the base itself, which a creation
    /// bears that is asked for once more: nobody has written anything over it.
    func isKnown(
        _ hash: ContentHash, of item: String, base: Version?
    ) async throws -> Bool {
        guard let base else { return false }
        return try await session.call { try await $0.versions(of: item, in: $1) }
            .contains { $0.sha256 == hash && ($0.base == base || $0.version == base) }
    }

    /// - Parameter spare: the key where the copy of an attempt before is nobody's to write on any more.
    private func send(
        _ request: CreateItemRequest, otherwise spare: String, _ content: LocalContent,
        _ hash: ContentHash
    ) async throws {
        var request = request
        for attempt in 1...Self.mostAttempts {
            do {
                let made = try await upload(request, content)
                guard !made.isNew, made.item.sha256 != hash else { return }
                let modified = request.metadata.modified.value
                // What is older than the copy comes from a call that was made before the copy's.
                let isOlder = modified.map { date in made.item.modified.map { date < $0 } ?? false }
                // Somebody here may have written into the copy itself: nobody can tell that from an attempt before.
                let first = Version(made.item.id)
                if let first, made.item.contentVersion == first, made.item.trashed == nil,
                    isOlder != true
                {
                    try await writeOn(made.item, first, content, modified: modified)
                    return
                }
                request.key = spare
            } catch let error as ConnectionError where attempt < Self.mostAttempts {
                switch Reaction(error) {
                case .rename where request.ifExists == .fail:
                    guard case .problem(let problem) = error, let holder = problem.existing else {
                        throw error
                    }
                    switch try await hashOfHolder(holder) {
                    case .some(hash): return
                    case .some: request.ifExists = .rename
                    case nil: break  // It has just given the name up.
                    }
                case .forget where request.parent != "root":
                    // The folder went in between; what a person wrote does not go with it.
                    request.parent = "root"
                case .settleConflict where request.key != spare:
                    request.key = spare
                default: throw error
                }
            }
        }
    }

    /// Nil when there is no such item any more; else its content's hash, if it has one.
    private func hashOfHolder(_ holder: String) async throws -> ContentHash?? {
        do {
            return .some(try await session.freshItem(holder).info.sha256)
        } catch let error as ConnectionError where Reaction(error) == .forget {
            return nil
        }
    }

    /// Gives the copy of an attempt before, which nobody else has changed, the content that the person has
    /// written since.
    private func writeOn(
        _ copy: ItemInfo, _ first: Version, _ content: LocalContent, modified: Timestamp?
    ) async throws {
        let sent = await session.device.sendingDate()
        _ = try await session.call { connection, domain in
            try await content.replace(
                copy.id, over: first, modified: modified, sent: sent, connection, domain)
        }
    }

    private func upload(
        _ request: CreateItemRequest, _ content: LocalContent
    ) async throws -> ItemOperations.Outcome {
        var request = request
        if let bytes = try content.inline() {
            request.content = Base64Bytes(bytes)
            return try await operations.create(request)
        }
        let complete = request
        let answer = try await session.call { connection, domain in
            try await content.create(complete, connection, domain)
        }
        return ItemOperations.Outcome(item: answer.item, isNew: answer.isNew)
    }
}
