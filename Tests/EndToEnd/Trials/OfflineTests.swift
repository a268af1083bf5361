import BasketSupport
import Testing

extension EndToEnd.Trials {
    @Suite("Two machines whose server is away")
    struct OfflineTests {
        @Test("have the same tree when it is back, with all that was done meanwhile")
        func offline() throws {
            try TrialScene.play { scene in
                let (other, there) = try scene.another()
                // What nobody has seen yet is not there without a server.
                try scene.shell("mkdir shared")
                try scene.settle()
                try scene.settle(other)
                let seconds = Trial.offlineSeconds
                scene.server.stop()
                // Nobody does in an hour what sixty busy minutes would make of it.
                let pause = max(0.02, Double(seconds) / 6000)
                let work = RandomWork(steps: 0, seconds: seconds, pauseSeconds: pause)
                let left = work.start(as: "left", seed: 5, on: scene.laptop, in: scene.folder)
                let right = work.start(as: "right", seed: 6, on: other, in: there)
                let said = [try left.result(), try right.result()]
                #expect(try other.basket("status").ending == .exit(15))

                try scene.server.restart()
                try Trial.timed("offline: \(seconds) s of work are sent") {
                    try scene.settle()
                    try scene.settle(other)
                    try scene.settle()
                }
                let tree = try RandomWork.tree(on: scene.laptop, in: scene.folder)
                Trial.tell(
                    "offline: \(tree.split(separator: "\n").count) files and folders")
                #expect(try RandomWork.tree(on: other, in: there) == tree)
                #expect(RandomWork.faults(of: said, in: tree) == [])
            }
        }
    }
}
