import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderHost
@testable import FileProviderReplica

@Suite("Following the plan")
struct PlannerProgressTests {
    /// More steps than this in a row, and somebody would begin to wonder.
    private static let mostSteps = 12
    /// So much of the planner's space is walked through to the end: one of so many, which have nothing to do with how it
    /// is enumerated.
    private static let oneIn = 23

    @Test(
        "comes to rest in a few steps, whatever it begins with, and loses nothing",
        arguments: [NodeKind.file, .folder, .symlink])
    func converges(kind: NodeKind) {
        var (count, problems) = (0, [String]())
        for trees in PlannerSpace.trees(kind) {
            PlannerSpace.forEach(trees) { known in
                count += 1
                guard count % Self.oneIn == 0, problems.count < 3 else { return }
                var provider = PerfectProvider(known)
                var steps: [Step] = []
                while !provider.isDone, steps.count < Self.mostSteps {
                    steps.append(provider.take())
                }
                if !provider.isDone { problems.append("\(known) has no end: \(steps)") }
                if !provider.lost.isEmpty {
                    problems.append("\(known) lost \(provider.lost) by \(steps)")
                }
            }
        }
        #expect(count > 100_000)
        for problem in problems { Issue.record("\(problem)") }
    }

    @Test(
        "goes on after a restart where it was", arguments: [NodeKind.file, .folder, .symlink])
    func restarts(kind: NodeKind) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: .silent)
        try world.files.makeFolder(folder)
        let replica = try await Replica(folder: folder, rule: .posix, boot: "1", world: world) {
            InlineWriter(try Replica.openConnection($0))
        }
        defer { replica.close() }

        let problems = try await replica.write { transaction in
            var (count, problems) = (0, [String]())
            for trees in PlannerSpace.trees(kind) where trees != NodeTrees() {
                for state in PlannerSpace.states(of: trees) {
                    count += 1
                    guard count % Self.oneIn == 0 else { continue }
                    let stored = try Self.stored(state, by: transaction)
                    let around = Surroundings()
                    if Planner.step(for: stored, around) != Planner.step(for: state, around) {
                        problems.append("\(state) is \(stored)")
                    }
                }
            }
            return problems
        }
        for problem in problems.prefix(3) { Issue.record("\(problem)") }
        #expect(problems.isEmpty)
    }

    /// As it is read again.
    private static func stored(
        _ node: StoredNode, by transaction: ReplicaTransaction
    ) throws -> StoredNode {
        try transaction.db.run(NodeColumn.insert, scalars: node.values(transaction.rule))
        let stored = try transaction.reader.node(node.id)
        try transaction.db.run("DELETE FROM node WHERE id = ?", node.id)
        return try #require(stored)
    }
}
