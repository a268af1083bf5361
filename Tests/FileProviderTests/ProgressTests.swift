import FileProvider
import Foundation
import Testing

@Suite("Progress on Linux")
struct ProgressTests {
    @Test("is made without arguments, as on Apple's systems")
    func made() {
        #expect(Progress().totalUnitCount == 0)
    }

    @Test("tells what is done with which files")
    func files() {
        let progress = Progress(totalUnitCount: 10)
        #expect(progress.fileOperationKind == nil)
        progress.fileOperationKind = .uploading
        progress.fileTotalCount = 3
        progress.fileCompletedCount = 1
        progress.throughput = 9
        progress.estimatedTimeRemaining = 2.5
        progress.fileURL = URL(fileURLWithPath: "/a")

        #expect(progress.fileOperationKind == .uploading)
        #expect(progress.fileTotalCount == 3)
        #expect(progress.fileCompletedCount == 1)
        #expect(progress.throughput == 9)
        #expect(progress.estimatedTimeRemaining == 2.5)
        #expect(progress.fileURL?.path == "/a")
        progress.fileOperationKind = nil
        #expect(progress.fileOperationKind == nil)
    }

    @Test("adds up what its children do")
    func children() {
        let parent = Progress(totalUnitCount: 100)
        let explicit = Progress(totalUnitCount: 10)
        parent.addChild(explicit, withPendingUnitCount: 50)
        parent.becomeCurrent(withPendingUnitCount: 50)
        let implicit = Progress(totalUnitCount: 2)
        parent.resignCurrent()

        explicit.completedUnitCount = 5
        implicit.completedUnitCount = 1
        #expect(parent.fractionCompleted == 0.5)
        explicit.completedUnitCount = 10
        implicit.completedUnitCount = 2
        #expect(parent.isFinished)
        #expect(parent.completedUnitCount == 100)
    }

    @Test("cancels its children, and runs the handlers of all")
    func cancellation() async {
        let parent = Progress(totalUnitCount: 2)
        let early = Progress(totalUnitCount: 1)
        parent.addChild(early, withPendingUnitCount: 1)
        await withTaskGroup { group in
            let (calls, called) = AsyncStream<Void>.makeStream()
            for progress in [parent, early] {
                progress.cancellationHandler = { called.yield() }
            }
            parent.cancel()
            #expect(early.isCancelled)
            let late = Progress(totalUnitCount: 1)
            parent.addChild(late, withPendingUnitCount: 1)
            #expect(late.isCancelled)
            // The handler of what is cancelled already.
            late.cancellationHandler = { called.yield() }
            group.addTask {
                var count = 0
                for await _ in calls {
                    count += 1
                    if count == 3 { return }
                }
            }
        }
    }

    @Test("is cancelled at once, and once, where the system needs it")
    func atOnce() {
        let counter = Counter()
        let progress = Progress(totalUnitCount: 1)
        progress.cancellationHandler = { counter.increment() }
        progress.cancelAtOnce()
        #expect(counter.value == 1)
        progress.cancelAtOnce()
        #expect(counter.value == 1)
        #expect(progress.isCancelled)
    }

    @Test("tells the system how far it is, whatever it says")
    func reported() {
        let plain = Progress(totalUnitCount: 4)
        #expect(plain.reportedFraction == 0)
        plain.completedUnitCount = 1
        #expect(plain.reportedFraction == 0.25)
        plain.completedUnitCount = 9
        #expect(plain.reportedFraction == 1)
        plain.totalUnitCount = -1
        #expect(plain.reportedFraction == 0)
        #expect(Progress().reportedFraction == 0)
    }
}
