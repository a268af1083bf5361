import BasketSupport
import Glibc

/// A server's domain with those who write into it, and what must be true of it after each crash.
struct CrashScene {
    private let server: ServerProcess
    private let tokens: [String]
    /// Of the account whose devices come and go.
    private let guest: String
    private var writers: [CrashWriter]
    private let first: Tree
    private var before: Tree

    init(_ server: ServerProcess, writers count: Int, seed: UInt64) throws {
        self.server = server
        let caller = server.caller()
        try caller.makeDomain("Work")
        var folders = ["": "root"]
        for name in ["Left", "Right"] { folders[name] = try caller.makeFolder(name, of: "Work") }
        let other = try ServerProcess.logIn(server.port, server.password, device: "other")
        tokens = [server.token, other]
        guest = try server.member(CrashGuest.name).token ?? ""
        first = try Tree(of: caller)
        before = first
        writers = (0..<count).map { number in
            CrashWriter(
                number: number, seed: seed, folders: folders,
                guest: CrashGuest(
                    number: number, password: ServerProcess.password(of: CrashGuest.name)))
        }
    }

    /// How many requests of each kind were acknowledged.
    var acknowledged: [String: Int] {
        writers.reduce(into: [:]) { all, writer in all.merge(writer.acknowledged) { $0 + $1 } }
    }

    /// Lets everybody write for so long, and then nobody.
    mutating func kill(after moment: Duration) throws {
        let (port, tokens) = (server.port, tokens)
        let working = writers.map { writer in
            Meanwhile {
                var writer = writer
                writer.work(port, tokens: tokens)
                return writer
            }
        }
        _ = Semaphore().wait(upTo: moment)
        server.kill()
        writers = try working.map { try $0.result() }
    }

    /// What the operator's own check says of the data that the dead server left.
    func check(isDeep: Bool) throws {
        let check = try ServerProgram.run(
            ["check", "--data", server.folder] + (isDeep ? ["--deep"] : []))
        guard check.ending == .exit(0) else { throw Failure(check.output + check.errors) }
    }

    /// The operator's own collection, which dies as well.
    func collect(for moment: Duration) throws {
        let collection = try ChildProcess(
            ServerProgram.path,
            [
                "gc", "--data", server.folder, "--keep-deleted", "1s", "--upload-grace",
                EndToEnd.CrashTests.uploadGrace.settingText,
            ])
        collection.wait(upTo: moment)
        collection.signal(SIGKILL)
        collection.wait()
    }

    mutating func verify(isThorough: Bool) throws {
        let caller = server.caller()
        let callers = tokens.map { Caller(port: server.port, token: $0) }
        var tree = try Tree(of: caller)
        let files = try tree.filesByKey()
        for index in writers.indices { try writers[index].settle(with: files, callers) }

        tree = try Tree(of: caller)
        try before.verifyReplay(to: tree, caller)
        if isThorough { try first.verifyReplay(to: tree, caller) }
        let settled = try tree.filesByKey()
        let stranger = settled.keys.first { !$0.hasPrefix("writer") }
        if let stranger { throw Failure("nobody wrote \(stranger)") }
        let asGuest = Caller(port: server.port, token: guest)
        for index in writers.indices {
            try writers[index].verify(settled)
            try writers[index].verifyContents(caller, all: isThorough)
            try writers[index].guest.verify(server.port, asGuest)
        }
        before = try Tree(of: caller)
    }
}
