import BasketContent
import BasketSupport
import FileProvider
import Foundation

/// Files that are handed to the system, in the folder from which it takes them.
struct TemporaryFiles: Sendable {
    private static let prefix = "basket-fetch-"

    private let manager: NSFileProviderManager?
    private let world: World

    init(_ domain: NSFileProviderDomain, world: World) {
        manager = NSFileProviderManager(for: domain)
        self.world = world
    }

    /// Removes what an instance before this one left behind when it died.
    func clean() {
        // A system that has no such folder yet has nothing in it.
        guard let folder = try? folder(), let names = try? world.files.list(folder) else { return }
        for name in names where name.hasPrefix(Self.prefix) { remove(folder + "/" + name) }
    }

    /// Has a new file filled, and gone again if that fails.
    func fill<Answer>(
        _ body: (any BasketSupport.File) async throws -> Answer
    ) async throws -> (url: URL, answer: Answer) {
        let path = try folder() + "/" + Self.prefix + Hex.encode(world.randomBytes(12))
        let file = try world.files.create(path)
        do {
            let answer = try await body(file)
            try Task.checkCancellation()
            return (URL(fileURLWithPath: path), answer)
        } catch {
            remove(path)
            throw error
        }
    }

    /// Removes a file that was filled and that nobody has heard of.
    func remove(_ url: URL) {
        remove(url.path)
    }

    private func remove(_ path: String) {
        do {
            try world.files.remove(path)
        } catch {
            world.log.write(.warning, "temporary file stays", ["reason": .text("\(error)")])
        }
    }

    private func folder() throws -> String {
        guard let manager else { throw ProviderFailure.misconfigured("Nobody hosts the domain.") }
        return try manager.temporaryDirectoryURL().path
    }
}
