import BasketContent
import BasketSupport
import Glibc
import Synchronization
import Testing

extension EndToEnd {
    /// The server dies at a random moment while it is busy, again and again on the same data.
    @Suite("A server that is killed while it works")
    struct CrashTests {
        private static let rounds =
            ProcessEnvironment.variables()["BASKET_TORTURE_ROUNDS"].flatMap { Int($0) } ?? 12
        private static let seed =
            ProcessEnvironment.variables()["BASKET_TORTURE_SEED"].flatMap { UInt64($0) } ?? 1
        private static let writers = 4

        @Test(
            "keeps every write that it acknowledged, and nothing half-done",
            .timeLimit(.minutes(max(3, rounds / 4))))
        func torture() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let seed = Self.seed
            var random = SeededGenerator(seed: seed)
            try server.caller().makeDomain("Work")
            let first = try Tree(of: server.caller())
            var writers = (0..<Self.writers).map { CrashWriter(number: $0, seed: seed) }
            var acknowledged = 0

            for round in 1...Self.rounds {
                let before = try Tree(of: server.caller())
                let (port, token, moment) = (server.port, server.token, random.next() % 500)
                let working = writers.map { writer in
                    Meanwhile {
                        var writer = writer
                        writer.work(port: port, token: token)
                        return writer
                    }
                }
                _ = Semaphore().wait(upTo: .milliseconds(20 + Int(moment)))
                server.kill()
                writers = try working.map { try $0.result() }
                try check(server)
                try server.restart()

                do {
                    try verify(&writers, server, since: [first, before])
                } catch {
                    Issue.record("round \(round) of BASKET_TORTURE_SEED=\(seed): \(error)")
                    return
                }
                acknowledged = writers.map(\.acknowledged).reduce(0, +)
            }
            #expect(acknowledged > Self.rounds, "the writers wrote")
        }

        /// What the operator's own check says of the data that the dead server left.
        private func check(_ server: ServerProcess) throws {
            guard try ServerProgram.has("check") else { return }
            let check = try ServerProgram.run(["check", "--data", server.folder])
            guard check.ending == .exit(0) else { throw Failure(check.output + check.errors) }
        }

        private func verify(
            _ writers: inout [CrashWriter], _ server: ServerProcess, since olds: [Tree]
        ) throws {
            let caller = server.caller()
            let tree = try Tree(of: caller)
            for old in olds { try old.verifyReplay(to: tree, caller) }
            var names: Set<String> = []
            let hashes = tree.hashes
            for index in writers.indices {
                guard writers[index].trouble.isEmpty else {
                    throw Failure(writers[index].trouble.joined(separator: "\n"))
                }
                try verifyChunks(writers[index].chunks, caller)
                names.formUnion(try writers[index].settle(with: hashes, caller))
            }
            let strangers = Set(hashes.keys).subtracting(names)
            guard strangers.isEmpty else { throw Failure("nobody wrote \(strangers.sorted())") }
            for (name, hash) in try Tree(of: caller).hashes {
                let answer = try caller.get("\(CrashWriter.domain)/files/\(name)")
                guard answer.status == 200, ContentHash(of: answer.body).hex == hash else {
                    throw Failure("\(name) has other bytes: \(answer.status)")
                }
            }
        }

        /// A chunk that was acknowledged need not be sent again.
        private func verifyChunks(_ chunks: [ContentHash], _ caller: Caller) throws {
            guard !chunks.isEmpty else { return }
            let answer = try caller.post(
                "\(CrashWriter.domain)/chunks/missing",
                ["hashes": .array(chunks.map { .string($0.hex) })])
            let missing = try caller.expect(200, answer)["missing"].array
            guard missing.isEmpty else { throw Failure("chunks are missing: \(missing)") }
        }
    }
}
