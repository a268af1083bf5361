import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderMount
import FileProviderReplica
import FolderProvider
import Foundation
import Glibc

/// A folder of the disk, an extension that serves it, a host with a replica, and a real mount of that: on the machine's
/// own clock and threads.
struct MountStage: Sendable {
    /// What the extension serves.
    let served: String
    /// What the kernel shows.
    let mounted: String
    let provider: FolderExtension
    let host: DomainHost

    /// Whether mounts can be made here.
    static let isPossible = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    /// What goes wrong is to be seen.
    private static let log = Log(level: .warning) { entry in
        FileHandle.standardError.write(Data("\(entry.message) \(entry.fields)\n".utf8))
    }

    /// Does what waits for the mount: whoever answers for that may need every thread that tasks have.
    static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// - Parameters:
    ///   - isSyncing: whether anything that programs do reaches the extension.
    ///   - errands: does in the kernel what may wait there; each thread itself, where it is nil.
    static func play(
        isSyncing: Bool = true, errands: (any ErrandRunning)? = nil,
        _ body: (MountStage) async throws -> Void
    ) async throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/basket-mount-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: log)
        for part in ["served", "aside", "replica", "mounted"] {
            try world.files.makeFolder(folder + "/" + part)
        }
        let replica = try await Replica(
            folder: folder + "/replica", rule: .posix, boot: "1", world: world
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) {
                try Replica.openConnection(path)
            }
        }
        let provider = FolderExtension(serving: folder + "/served", aside: folder + "/aside")
        let host = DomainHost(replica: replica, provider: provider, world: world)
        provider.onChange { [weak host] in host?.signal() }
        let running = Task { if isSyncing { await host.run() } }
        let mounted = folder + "/mounted"
        let device = try FuseDevice.mount(at: mounted, name: "test")
        let mount = try DomainMount(
            of: host, on: device, at: mounted, folder: folder + "/replica", isResumed: false,
            user: getuid(), group: getgid(), errands: errands ?? OwnErrands(device), world: world)
        _ = mount.start()
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(
                    MountStage(
                        served: folder + "/served", mounted: mounted, provider: provider,
                        host: host)))
        } catch {
            result = .failure(error)
        }
        try? FuseDevice.unmount(mounted, atAnyCost: true)
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                mount.join()
                ended.resume()
            }
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

    /// There, as an editor does: what had the name is replaced.
    func put(_ path: String, _ text: String) throws {
        let draft = served + "-draft-" + UUID().uuidString
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        guard rename(draft, served + "/" + path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Runs a program with the mounted folder as its own.
    /// - Returns: what it has printed.
    @discardableResult
    func shell(_ script: String) async throws -> String {
        try await Self.shell(script, in: mounted)
    }

    /// The same until that is what it prints: the kernel is told a moment after the replica knows.
    /// - Returns: what it has printed last.
    func shell(_ script: String, untilItSays expected: String) async throws -> String {
        var said = ""
        for _ in 0..<100 {
            said = try await shell(script)
            if said == expected { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return said
    }

    /// The same in another folder.
    static func shell(_ script: String, in folder: String) async throws -> String {
        try await withCheckedThrowingContinuation { ended in
            Thread.detachNewThread {
                ended.resume(with: Result { try run(script, in: folder) })
            }
        }
    }

    private static func run(_ script: String, in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-euc", "cd \"$0\"; " + script, folder]
        let output = Foundation.Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw ShellError(status: process.terminationStatus, output: text)
        }
        return text
    }
}

/// A script has ended badly.
struct ShellError: Error {
    let status: Int32
    let output: String
}
