import BasketSupport
import Synchronization
import Testing

@Suite("Threads for what may have to wait")
struct PatientThreadsTests {
    @Test("do the things of one key one after another, and who waits finds them done")
    func inOrder() async {
        let done = Mutex<[Int]>([])
        await onThread {
            let threads = PatientThreads<Int>(name: "test", most: 4)
            defer { threads.stop() }
            for number in 0..<1000 {
                threads.run(1, waitingUpTo: .seconds(10)) { done.withLock { $0.append(number) } }
                #expect(done.withLock { $0.count } == number + 1)
            }
        }
        #expect(done.withLock { $0 } == Array(0..<1000))
    }

    @Test("keep nobody waiting whose things are others, and do all in the end")
    func stuck() async {
        let done = Mutex<[Int]>([])
        await onThread {
            let threads = PatientThreads<Int>(name: "test", most: 4)
            defer { threads.stop() }
            let gate = Semaphore()
            let clock = ContinuousClock()
            let first = clock.measure {
                threads.run(1, waitingUpTo: .milliseconds(50)) { gate.wait() }
            }
            #expect(first >= .milliseconds(50) && first < .seconds(5))
            // Nobody waits for that one again.
            let second = clock.measure {
                for number in 0..<100 {
                    threads.run(1, waitingUpTo: .seconds(30)) {
                        done.withLock { $0.append(number) }
                    }
                }
            }
            #expect(second < .seconds(5))
            threads.run(2, waitingUpTo: .seconds(10)) { done.withLock { $0.append(-1) } }
            #expect(done.withLock { $0 } == [-1])
            gate.signal()
            let last = Semaphore()
            threads.run(1, waitingUpTo: .zero) { last.signal() }
            #expect(last.wait(upTo: .seconds(10)))
        }
        #expect(done.withLock { $0 } == [-1] + Array(0..<100))
    }

    @Test("are no more than so many, and come to the rest once somebody is done")
    func many() async {
        let count = Atomic(0)
        await onThread {
            let threads = PatientThreads<Int>(name: "test", most: 2)
            defer { threads.stop() }
            let gate = Semaphore()
            let all = Semaphore()
            for key in 0..<10 {
                threads.run(key, waitingUpTo: .milliseconds(1)) {
                    gate.wait()
                    count.add(1, ordering: .relaxed)
                    all.signal()
                }
            }
            for _ in 0..<10 { gate.signal() }
            for _ in 0..<10 { #expect(all.wait(upTo: .seconds(10))) }
        }
        #expect(count.load(ordering: .relaxed) == 10)
    }

    /// What waits for threads must not be a task.
    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { ended in
            Thread(name: "test") {
                body()
                ended.resume()
            }.detach()
        }
    }
}
