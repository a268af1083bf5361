import BasketSupport
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Testing

@testable import FileProviderMount

/// A kernel asks once more what a host has heard that died before it could answer.
@Suite("What is asked twice", .enabled(if: MountStage.isPossible), .serialized)
struct RepeatedQuestionTests {
    private let root: UInt64 = 1

    private func caller(_ question: UInt64, isRepeated: Bool = false) -> Caller {
        Caller(process: 0, user: 0, group: 0, question: question, isRepeated: isRepeated)
    }

    /// Asks a domain without a kernel; once more, as a host does that comes after that.
    private func play(
        _ body: (MountStage, (FuseQuestion, Caller) async -> FuseReply) async throws -> Void
    ) async throws {
        try await MountStage.play(isSyncing: false) { stage in
            let folder = stage.served + "-notes"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            _ = try await stage.host.replica.write { transaction in
                try transaction.update(.root) { $0.isListed = true }
            }
            try await body(stage) { question, caller in
                let domain = MountedDomain(
                    stage.host, folder: folder, isResumed: caller.isRepeated,
                    world: .live(log: .silent),
                    user: 0, group: 0)
                let answer = await domain.answer(question, from: caller)
                answer.afterwards()
                return answer.reply
            }
        }
    }

    private func isDone(_ reply: FuseReply) -> Bool {
        if case .done = reply { true } else { false }
    }

    @Test("exchanges names once")
    func exchange() async throws {
        try await play { stage, ask in
            let (one, other) = (
                try await stage.host.make("one", in: .root, kind: .folder),
                try await stage.host.make("other", in: .root, kind: .folder)
            )
            let holder = { try stage.host.replica.read { try $0.child("one", of: .root)?.id } }
            let exchange = FuseQuestion.rename(
                "one", in: root, to: "other", into: root, .exchanging)
            #expect(isDone(await ask(exchange, caller(8))))
            #expect(try holder() == other)
            #expect(isDone(await ask(exchange, caller(8, isRepeated: true))))
            #expect(try holder() == other)
            // Another one, of which its host has only heard, is not done yet.
            #expect(isDone(await ask(exchange, caller(10, isRepeated: true))))
            #expect(try holder() == one)
        }
    }

    @Test("makes a FIFO once, and moves it once")
    func fifo() async throws {
        try await play { _, ask in
            let make = FuseQuestion.makeNode("line", in: root, mode: S_IFIFO | 0o600, device: 0)
            for isRepeated in [false, true] {
                guard case .entry = await ask(make, caller(8, isRepeated: isRepeated)) else {
                    Issue.record("it is not made")
                    return
                }
            }
            let move = FuseQuestion.rename("line", in: root, to: "other", into: root, .replacing)
            #expect(isDone(await ask(move, caller(10))))
            #expect(isDone(await ask(move, caller(10, isRepeated: true))))
            guard case .entry(let entry) = await ask(.lookUp("other", in: root), caller(12)) else {
                Issue.record("it is not found")
                return
            }
            #expect(entry.status != nil)
        }
    }
}
