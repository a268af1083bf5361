import FileProvider
import Foundation
import Testing

@Suite("A progress that threads share")
struct SharedProgressTests {
    @Test("is made in each way that a progress is")
    func made() {
        let parent = SharedProgress(totalUnitCount: 4)
        let child = SharedProgress(totalUnitCount: 2, parent: parent, pendingUnitCount: 2)
        parent.becomeCurrent(withPendingUnitCount: 2)
        let implicit = SharedProgress(totalUnitCount: 2)
        parent.resignCurrent()

        child.completedUnitCount = 1
        implicit.completedUnitCount = 1
        #expect(parent.fraction == 0.5)
        #expect(parent.reportedFraction == 0.5)
        #expect(parent.fractionCompleted == 0.5)
        #expect(SharedProgress().totalUnitCount == 0)
    }

    @Test("loses nothing when many threads report, while others look")
    func concurrently() async {
        let root = SharedProgress(totalUnitCount: 1600)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let own = SharedProgress(totalUnitCount: 100)
                    root.addChild(own, withPendingUnitCount: 100)
                    for number in 0..<100 {
                        for parent in [root, own] {
                            let child = SharedProgress(totalUnitCount: 2)
                            parent.addChild(child, withPendingUnitCount: 1)
                            child.completedUnitCount = 1
                            child.completedUnitCount = 2
                        }
                        root.setUserInfoObject(number, forKey: .throughputKey)
                    }
                }
                group.addTask {
                    for _ in 0..<100 {
                        #expect((0...1).contains(root.reportedFraction))
                        #expect(root.throughput ?? 0 < 100)
                    }
                }
            }
        }
        #expect(root.completedUnitCount == 1600)
        #expect(root.isFinished)
        #expect(root.fraction == 1)
    }

    @Test("cancels each child once, while children come and go")
    func cancelled() async {
        let root = SharedProgress(totalUnitCount: 800)
        let handled = Counter()
        root.cancellationHandler = { handled.increment() }
        let (calls, called) = AsyncStream<Int>.makeStream()
        let children = await withTaskGroup(of: [SharedProgress].self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<100).map { number in
                        let child = SharedProgress(totalUnitCount: 1)
                        child.cancellationHandler = { called.yield(task * 100 + number) }
                        root.addChild(child, withPendingUnitCount: 1)
                        // Half of them finish, at the very moment at which others are cancelled.
                        if number % 2 == 0 { child.completedUnitCount = 1 }
                        return child
                    }
                }
                group.addTask {
                    root.cancelAtOnce()
                    return []
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(handled.value == 1)
        #expect(root.isCancelled)
        root.cancel()
        root.cancelAtOnce()
        #expect(handled.value == 1)

        let cancelled = children.count { $0.isCancelled }
        #expect(cancelled >= 400)
        var heard: [Int] = []
        for await number in calls {
            heard.append(number)
            if heard.count == cancelled { break }
        }
        #expect(Set(heard).count == cancelled)
    }
}
