import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import FolderProvider
import Foundation
import Glibc

@testable import FileProviderHost

/// A folder, an extension that serves it, and a host with a replica, on the machine's own disk, clock and threads.
struct FolderStage: Sendable {
    let root: String
    let provider: FolderExtension
    let host: DomainHost

    /// - Parameter disk: a folder on the disk on which all of it is to lie.
    static func play(
        on disk: String = FileManager.default.temporaryDirectory.path,
        settings: HostSettings = HostSettings(), _ body: (FolderStage) async throws -> Void
    ) async throws {
        let folder = disk + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: .silent)
        for part in ["root", "aside", "replica"] { try world.files.makeFolder(folder + "/" + part) }
        let replica = try await Replica(
            folder: folder + "/replica", rule: .posix, boot: "1", world: world
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) {
                try Replica.openConnection(path)
            }
        }
        let provider = FolderExtension(serving: folder + "/root", aside: folder + "/aside")
        let host = DomainHost(
            replica: replica, provider: provider, world: world, settings: settings)
        provider.onChange { [weak host] in host?.signal() }
        let running = Task { await host.run() }
        let result: Result<Void, any Error>
        do {
            let stage = FolderStage(root: folder + "/root", provider: provider, host: host)
            result = .success(try await body(stage))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        replica.close()
        try result.get()
    }

    /// Until both sides have heard of everything.
    func settle() async throws {
        provider.look()
        try await host.waitForRest()
    }

    // MARK: There

    /// As an editor does: what is there is replaced as a whole.
    func put(_ path: String, _ text: String) throws {
        let draft = host.replica.contents.folder + "-draft-" + UUID().uuidString
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        guard rename(draft, root + "/" + path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func makeFolder(_ path: String) throws {
        guard mkdir(root + "/" + path, 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func move(_ path: String, to other: String) throws {
        guard rename(root + "/" + path, root + "/" + other) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func remove(_ path: String) throws {
        guard unlink(root + "/" + path) == 0 else { throw CocoaError(.fileNoSuchFile) }
    }

    /// What lies in the folder, by path.
    func there() throws -> [String: String] {
        var listing = FolderListing(root: root)
        listing.refresh()
        return try listing.records.values.reduce(into: [:]) { found, record in
            let text =
                switch record.kind {
                case .folder: "/"
                case .link: "→ " + (record.target ?? "")
                case .file: try String(contentsOfFile: root + record.path, encoding: .utf8)
                }
            found[String(record.path.dropFirst())] = text
        }
    }

    // MARK: Here

    private static let editor = Program(name: "editor")

    /// Opens a file, or makes it, whatever comes and goes meanwhile.
    func write(_ name: String, in folder: NodeID, _ text: String) async throws {
        for _ in 0..<20 {
            let file: OpenFile
            do {
                file = try await open(name, in: folder)
            } catch LocalError.exists {
                continue
            } catch LocalError.notFound {
                continue
            }
            try await file.write(Array(text.utf8), at: 0)
            return try await file.close()
        }
        throw LocalError.notFound
    }

    private func open(_ name: String, in folder: NodeID) async throws -> OpenFile {
        let known = try host.replica.read { try $0.child(name, of: folder)?.id }
        return if let known {
            try await host.open(known, for: .replacing, by: Self.editor)
        } else {
            try await host.create(name, in: folder, by: Self.editor)
        }
    }

    func node(_ path: String) async throws -> NodeID {
        let found = try host.replica.read { reader in
            try path.split(separator: "/").reduce(NodeID.root as NodeID?) { folder, name in
                try folder.flatMap { try reader.child(String(name), of: $0)?.id }
            }
        }
        guard let found else { throw LocalError.notFound }
        return found
    }

    /// What is seen on the device, by path; all of it is fetched.
    func here() async throws -> [String: String] {
        var found: [String: String] = [:]
        var folders: [(NodeID, String)] = [(.root, "")]
        while let (folder, prefix) = folders.popLast() {
            for node in try host.replica.read({ try $0.children(of: folder, limit: 10_000) }) {
                guard let entry = node.trees.local else { continue }
                let path = prefix + entry.name
                switch entry.content {
                case .target(let target): found[path] = "→ " + target
                case _ where node.kind == .folder:
                    found[path] = "/"
                    folders.append((node.id, path + "/"))
                default: found[path] = try await text(of: node.id)
                }
            }
        }
        return found
    }

    private func text(of id: NodeID) async throws -> String {
        let file = try await host.open(id, for: .reading, by: Self.editor)
        do {
            let bytes = try await file.read(at: 0, count: Int(file.size))
            try await file.close()
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            try await file.close()
            throw error
        }
    }
}
