import BasketSupport
import CLinux
import FileProviderMount
import Foundation
import Glibc
import Synchronization
import Testing

/// Something that goes on on a thread of its own.
private final class Errands: Sendable {
    private let result = Mutex<Int32?>(nil)
    private let runner = Mutex<Int32?>(nil)
    private let hasBegun = Semaphore()
    private let isDone = Semaphore()

    init(_ errand: Errand, by errands: any ErrandRunning) {
        Thread(name: "test") { [self] in
            let code = errands.run(errand) { thread in
                runner.withLock { $0 = thread }
                hasBegun.signal()
            }
            result.withLock { $0 = code }
            isDone.signal()
        }.detach()
    }

    /// By whom.
    func begun() -> Int32? {
        _ = hasBegun.wait(upTo: .seconds(20))
        return runner.withLock { $0 }
    }

    /// With what.
    func end() -> Int32? {
        _ = isDone.wait(upTo: .seconds(20))
        return result.withLock { $0 }
    }
}

/// One thread is taken for one that runs errands.
private final class OneRunner: ErrandRunning {
    let thread = Mutex<Int32>(0)

    func run(_ errand: Errand, begin: (Int32) -> Void) -> Int32 { EIO }
    func isRunner(_ thread: Int32) -> Bool { self.thread.withLock { $0 == thread } }
}

/// What is done in the kernel for a host, by somebody who does not die with it.
@Suite("Errands in the kernel", .timeLimit(.minutes(5)))
struct ErrandTests {
    private let folder = NSTemporaryDirectory() + "/basket-errands-\(UUID().uuidString)"

    private func play(_ body: (ErrandRunners, _ host: () -> LinkedErrands) throws -> Void) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runners = ErrandRunners()
        defer { runners.stop() }
        let device = FuseDevice(
            descriptor: open("/dev/null", O_RDWR | O_CLOEXEC), greeting: [], number: nil)
        try body(runners) {
            LinkedErrands(on: device, runners: runners.numbers) { end in
                runners.serve(ErrandLink(descriptor: fcntl(end, F_DUPFD_CLOEXEC, 0)), on: device)
            }
        }
    }

    /// Whoever writes to it waits for a reader.
    private func makePipe() -> String {
        let path = folder + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test(
        "travel as they are",
        arguments: [
            .tell([0, 1, 2, 0]), .tell([]), .makeFolder("/a b"), .makeSymlink("/ü"),
            .makeFile("/f"),
            .removeFolder("/a"), .removeFile("/a"), .move("/a", to: "/b\n", of: 1 << 63),
            .touchContent("/x"), .touchAttributes("/x"), .look("/x"),
        ] as [Errand])
    func travel(errand: Errand) {
        #expect(Errand(bytes: errand.bytes) == errand)
    }

    @Test("that nobody knows are none", arguments: [[], [10, 65], [1], [6, 65], [3, 65, 0, 66]])
    func garbage(bytes: [UInt8]) {
        #expect(Errand(bytes: bytes) == nil)
    }

    @Test("are done, and what fails says why")
    func results() throws {
        try play { runners, host in
            let errands = host()
            let file = folder + "/file"
            #expect(errands.run(.makeFolder(folder + "/made")) { _ in } == 0)
            #expect(errands.run(.makeFolder(folder + "/made")) { _ in } == EEXIST)
            #expect(errands.run(.makeFile(file)) { _ in } == 0)
            #expect(errands.run(.makeFile(folder + "/other")) { _ in } == 0)
            // Nothing is ever moved over something.
            var facts = stat()
            #expect(lstat(file, &facts) == 0)
            let (number, taken) = (UInt64(facts.st_ino), folder + "/other")
            #expect(errands.run(.move(file, to: taken, of: number)) { _ in } == EEXIST)
            // Nor anything else than was meant.
            let free = folder + "/free"
            #expect(errands.run(.move(file, to: free, of: number + 1)) { _ in } == ESTALE)
            #expect(errands.run(.move(file, to: free, of: number)) { _ in } == 0)
            #expect(errands.run(.move(free, to: file, of: number)) { _ in } == 0)
            #expect(errands.run(.touchAttributes(file)) { _ in } == 0)
            #expect(errands.run(.removeFile(folder + "/nothing")) { _ in } == ENOENT)
            #expect(errands.run(.tell([1, 2, 3])) { _ in } == 0)
            #expect(runners.numbers.count == 1)
        }
    }

    @Test("that wait keep no other one waiting, nor who comes after a host that has died")
    func waiting() throws {
        try play { runners, host in
            let before = host()
            let pipe = makePipe()
            let stuck = Errands(.touchContent(pipe), by: before)
            let first = try #require(stuck.begun())
            let beside = before.run(.makeFolder(folder + "/a")) { second in
                #expect(second != first)
                #expect(before.isRunner(first) && before.isRunner(second))
            }
            #expect(beside == 0)
            #expect(!before.isRunner(basket_thread_number()))

            // The next one knows who may still be at it.
            let next = host()
            #expect(next.isRunner(first))
            var other: Int32?
            #expect(next.run(.makeFolder(folder + "/b")) { other = $0 } == 0)
            #expect(other != first)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            #expect(stuck.end() == 0)
            close(reader)
            #expect(runners.numbers.count <= 3)
        }
    }

    @Test("are done by who has them, where nobody else does")
    func unreachable() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let device = FuseDevice(descriptor: -1, greeting: [], number: nil)
        for isSilent in [false, true] {
            let errands = LinkedErrands(on: device, runners: []) { _ in
                if !isSilent { throw CancellationError() }
            }
            var runner: Int32?
            #expect(errands.run(.makeFolder("\(folder)/\(isSilent)")) { runner = $0 } == 0)
            #expect(runner == basket_thread_number())
        }
    }

    @Test("of a host that has died change nothing", .enabled(if: MountStage.isPossible))
    func leftOver() async throws {
        let runner = OneRunner()
        try await MountStage.play(errands: runner) { stage in
            let folder = stage.mounted + "/made"
            let codes = try await MountStage.onThread {
                func make() -> Int32 { mkdir(folder, 0o700) == 0 ? 0 : errno }
                runner.thread.withLock { $0 = basket_thread_number() }
                let refused = make()
                runner.thread.withLock { $0 = 0 }
                return [refused, make()]
            }
            #expect(codes == [EIO, 0])
        }
    }
}
