import Foundation
import Glibc

/// A disk of its own, as most have it (ext4, with a journal), whose power can be cut: what is left then is what it had been
/// told to keep, and not what the system was about to tell it. It goes away with the object.
package final class CuttableDisk: Sendable {
    /// Whether this process may make one: probed, because a container's root often may not.
    package static let isPossible = geteuid() == 0 && (try? CuttableDisk(mebibytes: 8)) != nil

    /// What a disk holds at one moment.
    package struct Frozen: Sendable {
        fileprivate let image: String
    }

    package struct Failure: Error {
        package let reason: String
    }

    /// Where it is mounted.
    package let path: String
    private let folder =
        FileManager.default.temporaryDirectory.path + "/basket-disk-\(UUID().uuidString)"
    private var image: String { folder + "/image" }

    package init(mebibytes: Int) throws {
        path = folder + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            try Self.run("truncate --size=\(mebibytes)M '\(image)' && mkfs.ext4 -q -F '\(image)'")
            try mount()
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        unmount()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func mount() throws {
        // What is mounted below it in another namespace is seen in this one.
        try Self.run(
            "mount -o loop '\(image)' '\(path)' && mount --make-private --make-shared '\(path)'")
    }

    /// Lazily: who still has a file open there must not keep it for ever.
    private func unmount() {
        umount2(path, CInt(MNT_DETACH))
    }

    /// What the disk holds now. What the system still has in memory only is not in it.
    package func freeze() throws -> Frozen {
        let device = try device()
        let copy = folder + "/copy-\(UUID().uuidString)"
        for _ in 0..<1_000 {
            let before = try Self.writes(to: device)
            try Self.run("cp --sparse=always '\(image)' '\(copy)'")
            // Else it would be what it never was at any moment.
            if before.isIdle, try before == Self.writes(to: device) { return Frozen(image: copy) }
        }
        throw Failure(reason: "the disk is never at rest")
    }

    /// Puts what was frozen in the disk's place. Nobody works on it any more.
    package func restart(with frozen: Frozen) throws {
        unmount()
        guard rename(frozen.image, image) == 0 else {
            throw Failure(reason: "no copy can take the disk's place: \(errno)")
        }
        try mount()
    }

    private struct Writes: Equatable {
        let counts: [Substring]
        let isIdle: Bool
    }

    private static func writes(to device: Substring) throws -> Writes {
        let text = try String(contentsOfFile: "/sys/block/\(device)/stat", encoding: .utf8)
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count > 8 else { throw Failure(reason: "nothing is known of \(device)") }
        return Writes(counts: Array(fields[4...6]), isIdle: fields[8] == "0")
    }

    private func device() throws -> Substring {
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count > 1, fields[1] == path { return fields[0].dropFirst("/dev/".count) }
        }
        throw Failure(reason: "\(path) is not mounted")
    }

    private static func run(_ script: String) throws {
        guard system("{ \(script); } 2>/dev/null") == 0 else { throw Failure(reason: script) }
    }
}
