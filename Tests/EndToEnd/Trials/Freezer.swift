import Foundation
import Glibc

/// A group of processes that can be frozen, as all are before a machine sleeps. They go on when it goes away.
final class Freezer: Sendable {
    /// How the kernel wants to be told: as it was for long, which is also how it does it before it sleeps, or by the
    /// groups' second version.
    private struct Tongue {
        let root: String
        let control: String
        let words: (freeze: String, thaw: String)
        let answer: (file: String, word: String)
    }

    private static let tongue: Tongue? = {
        let old = "/sys/fs/cgroup/freezer"
        if access(old + "/cgroup.procs", W_OK) == 0 {
            return Tongue(
                root: old, control: "freezer.state", words: ("FROZEN", "THAWED"),
                answer: ("freezer.state", "FROZEN"))
        }
        for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
        where access(root + "/cgroup.controllers", R_OK) == 0 {
            return Tongue(
                root: root, control: "cgroup.freeze", words: ("1", "0"),
                answer: ("cgroup.events", "frozen 1"))
        }
        return nil
    }()

    static let isPossible = tongue != nil && geteuid() == 0

    private let tongue: Tongue
    private let folder: String

    init() throws {
        guard let tongue = Self.tongue else { throw Failure("nothing can be frozen here") }
        self.tongue = tongue
        folder = tongue.root + "/basket-trial-\(getpid())"
        guard mkdir(folder, 0o755) == 0 else { throw Failure("\(folder): \(errno)") }
    }

    deinit {
        // A group goes when its last process has gone; there is nobody to tell when it has not.
        try? thaw()
        rmdir(folder)
    }

    /// What a process writes its number to, in order to belong to it.
    var door: String { folder + "/cgroup.procs" }

    var count: Int {
        let text = try? String(contentsOfFile: door, encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    func freeze() throws { try write(tongue.words.freeze) }

    func thaw() throws { try write(tongue.words.thaw) }

    var isFrozen: Bool {
        let text = try? String(contentsOfFile: folder + "/" + tongue.answer.file, encoding: .utf8)
        return text?.split(separator: "\n").contains(Substring(tongue.answer.word)) ?? false
    }

    private func write(_ word: String) throws {
        try word.write(toFile: folder + "/" + tongue.control, atomically: false, encoding: .utf8)
    }
}
