import BasketConnection
import BasketContent
import BasketModels
import BasketSupport

/// Keeps contents that lost a race, each as a file beside the one that won.
///
/// A copy is made by one creation, which bears a key: of a call that is repeated after any break there is
/// one copy, or none yet. Days later the copy is known by its name and its bytes.
struct ConflictCopies: Sendable {
    let session: ProviderSession
    let operations: ItemOperations

    /// - Parameter base: what the writer had seen of the item.
    func keep(
        _ content: LocalContent, of item: ItemInfo, base: Version?, _ template: ItemTemplate,
        _ progress: CallProgress
    ) async throws {
        let hash = try await content.hash()
        guard hash != item.sha256 else { return }
        guard try await !isKnown(hash, of: item.id, base: base) else { return }
        let facts = try await session.facts()
        let day = (template.modified ?? session.world.now()).rfc3339.prefix(10)
        let name = ConflictName(
            item.name, origin: session.environment.deviceName, day: String(day),
            rule: facts.caseRule)
        let key = CreationKey(
            replica: try await session.device.replica(), domain: facts.id, conflict: item.id,
            base: base, hash)
        var request = CreateItemRequest(
            parent: item.parent.map { $0 == "trash" ? "root" : $0 } ?? "root", name: name.text,
            kind: .file)
        request.key = key.text
        request.ifExists = .fail
        request.metadata.modified = template.modified.map { .set($0) } ?? .keep
        request.metadata.mode = item.mode.map { .set($0) } ?? .keep
        try await send(request, content, hash, progress)
    }

    /// Whether the server had this content already, over the same base, before it got the present one: then
    /// its answer was lost, and whoever came after had seen it.
    private func isKnown(
        _ hash: ContentHash, of item: String, base: Version?
    ) async throws -> Bool {
        guard let base else { return false }
        return try await session.call { try await $0.versions(of: item, in: $1) }
            .contains { $0.sha256 == hash && $0.base == base }
    }

    private func send(
        _ request: CreateItemRequest, _ content: LocalContent, _ hash: ContentHash,
        _ progress: CallProgress
    ) async throws {
        var request = request
        while true {
            do {
                return try await upload(request, content, progress)
            } catch let error as ConnectionError {
                switch Reaction(error) {
                case .rename where request.ifExists == .fail:
                    guard case .problem(let problem) = error, let holder = problem.existing,
                        try await session.freshItem(holder).info.sha256 != hash
                    else { return }
                    request.ifExists = .rename
                case .forget where request.parent != "root":
                    // The folder went in between; what a person wrote does not go with it.
                    request.parent = "root"
                default: throw error
                }
            }
        }
    }

    private func upload(
        _ request: CreateItemRequest, _ content: LocalContent, _ progress: CallProgress
    ) async throws {
        var request = request
        if let bytes = try content.inline() {
            request.content = Base64Bytes(bytes)
            _ = try await operations.create(request)
            return
        }
        let complete = request
        _ = try await session.call { connection, domain in
            try await content.upload(connection, domain).create(complete) { progress.reach($0) }
        }
    }
}
