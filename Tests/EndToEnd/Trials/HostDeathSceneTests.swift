import BasketSupport
import Foundation
import Testing

extension EndToEnd.Trials {
    @Suite("A host that dies while something is out of the ordinary")
    struct HostDeathSceneTests {
        @Test("on a full disk loses nothing, and goes on when there is room")
        func fullDisk() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let disk = try TemporaryDisk(mebibytes: 128)
            let laptop = try Laptop(home: disk.path)
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell(
                "mkdir kept; for i in $(seq 200); do echo $i >kept/$i; done", in: folder)
            try laptop.settle("Work")

            // What is said to be written is there afterwards, and what is not is refused as on any disk that is full.
            let writing = Meanwhile {
                try Laptop.shell(
                    """
                    end=$((SECONDS + 20)); n=0
                    while ((SECONDS < end)); do
                        n=$((n + 1))
                        if (head -c 1M /dev/urandom >large$n) 2>&1; then sha256sum large$n; else rm -f large$n; sleep 0.2; fi
                    done
                    """, in: folder)
            }
            let filling = Meanwhile {
                _ = Semaphore().wait(upTo: .seconds(3))
                try disk.fill()
                return true
            }
            let count = try laptop.killHosts(after: .seconds(2), during: writing)
            _ = try filling.result()
            let said = try writing.result()
            Trial.tell("deaths on a full disk: \(count)")
            #expect(count >= 2)
            #expect(said.contains("No space left on device"))
            let sums = said.split(separator: "\n").filter { $0.contains("  large") }
            // What the server has may have gone to make room. It is known, and can be removed.
            #expect(
                try Laptop.shell("ls kept | wc -l; rm kept/200; ls kept | wc -l", in: folder)
                    == "200\n199\n")

            disk.empty()
            try Laptop.shell("echo more >kept/1", in: folder)
            try laptop.settle("Work")
            #expect(
                try Laptop.shell("cat kept/* | sort -n | tail -n 1", in: folder) == "199\n")
            try Laptop.shell(
                "sha256sum --check --quiet <<'END'\n\(sums.joined(separator: "\n"))\nEND",
                in: folder)
            #expect(try laptop.basket("check", "Work").ending == .exit(0))
        }

        @Test("has a hundred readers of what is not here get every byte all the same")
        func readers() throws {
            try TrialScene.play { scene in
                try scene.shell("for i in $(seq 100); do head -c 300000 /dev/urandom >f$i; done")
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)

                scene.server.process.signal(SIGSTOP)
                defer { scene.server.process.signal(SIGCONT) }
                let reading = Meanwhile {
                    try scene.shell(
                        """
                        for i in $(seq 100); do cat f$i >$aside/f$i & ids="${ids:-} $!"; done
                        for id in $ids; do wait $id; done
                        """, in: there, upTo: .seconds(400))
                }
                _ = Semaphore().wait(upTo: .seconds(2))
                let count = try other.killHosts(after: .seconds(1), atMost: 4, during: reading)
                #expect(count == 4)
                scene.server.process.signal(SIGCONT)
                _ = try Trial.timed("deaths: until a hundred readers have ended") {
                    try reading.result()
                }
                try scene.shell("for i in $(seq 100); do cmp f$i $aside/f$i; done")
            }
        }

        @Test("has an indexer bring nothing here")
        func indexer() throws {
            try TrialScene.play { scene in
                try scene.shell("for i in $(seq 300); do head -c 10000 /dev/urandom >f$i; done")
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)
                // The kernel calls a program by its file's name.
                try scene.shell("cp /bin/cat $aside/baloo_file", in: there)
                let indexing = Meanwhile {
                    try scene.shell(
                        """
                        end=$((SECONDS + 10))
                        while ((SECONDS < end)); do
                            for i in $(seq 300); do if $aside/baloo_file f$i 2>>$aside/said >&2; then echo f$i; fi; done
                        done
                        """, in: there)
                }
                let count = try other.killHosts(after: .milliseconds(700), during: indexing)
                Trial.tell("deaths: an indexer went on through \(count)")
                #expect(count >= 2)
                #expect(try indexing.result() == "")
                let said = try scene.shell("sed 's/.*: //' $aside/said | sort | uniq -c")
                #expect(
                    said.split(separator: "\n").count == 1
                        && said.contains("Permission denied"), "\(said)")
                #expect(try scene.shell("du -s . | cut -f 1", in: there) == "0\n")
            }
        }

        @Test("has who watches a folder hear of what others change after that")
        func watching() throws {
            try TrialScene.play { scene in
                try scene.shell("mkdir d; for i in $(seq 20); do echo $i >d/$i; done")
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)
                let watcher = try ChildProcess(
                    "/usr/bin/inotifywait",
                    [
                        "--quiet", "--monitor", "--event", "create,delete,move,close_write",
                        "--format", "%e %f", there + "/d",
                    ])
                defer { watcher.signal(SIGKILL) }
                for round in 1...3 {
                    try other.killHost(of: "Work")
                    let (made, removed) = ("new\(round)", "\(round)")
                    try scene.shell("touch d/\(made); rm d/\(removed); echo \(round) >d/1\(round)")
                    for word in ["CREATE \(made)\n", "DELETE \(removed)\n", "CLOSE 1\(round)\n"] {
                        #expect(
                            Patience.until(upTo: .seconds(60)) {
                                watcher.output.text.contains(word)
                            }, "\(word): \(watcher.output.text)")
                    }
                }
            }
        }

        @Test("still asks whether everything is to go, and brings it back or lets it go")
        func removals() throws {
            try TrialScene.play { scene in
                let count = "find . -mindepth 1 | wc -l"
                func isHeldBack() -> Bool {
                    (try? scene.laptop.basket("removals", "Work").output.isEmpty) == false
                }
                func remove() throws {
                    let removing = Meanwhile { try scene.shell("rm -rf *; sleep 3") }
                    _ = try scene.laptop.killHosts(
                        after: .milliseconds(300), atMost: 4, during: removing)
                    _ = try removing.result()
                    #expect(Patience.until(upTo: .seconds(60), isHeldBack))
                }
                try scene.shell(
                    "for d in $(seq 10); do mkdir $d; for f in $(seq 100); do echo $f >$d/$f; done; done"
                )
                try scene.settle()

                try remove()
                try scene.laptop.expect("removals", "Work", "--undo")
                try scene.laptop.killHost(of: "Work")
                try scene.settle()
                let left = try scene.shell(count)
                let (other, there) = try scene.another()
                try scene.settle(other)
                #expect(try scene.shell(count, in: there) == left)
                #expect(try scene.shell("cat 10/100") == "100\n")

                try remove()
                #expect(try scene.settle())
                try scene.settle(other)
                #expect(try scene.shell(count, in: there) == "0\n")
            }
        }

        @Test("while the server is away has all of its work sent when that is back")
        func offline() throws {
            try TrialScene.play { scene in
                let (other, there) = try scene.another()
                try scene.shell("mkdir shared")
                try scene.settle()
                try scene.settle(other)
                scene.server.stop()
                let work = RandomWork(steps: 0, seconds: 30, pauseSeconds: 0.02)
                let left = work.start(as: "left", seed: 7, on: scene.laptop, in: scene.folder)
                let right = work.start(as: "right", seed: 8, on: other, in: there)
                let count = try scene.laptop.killHosts(after: .seconds(3), during: left)
                Trial.tell("deaths: offline, \(count)")
                #expect(count >= 5)
                let said = [try left.result(), try right.result()]
                try scene.laptop.killHost(of: "Work")
                try scene.server.restart()
                try scene.settle()
                try scene.settle(other)
                try scene.settle()
                let tree = try RandomWork.tree(on: scene.laptop, in: scene.folder)
                #expect(try RandomWork.tree(on: other, in: there) == tree)
                #expect(RandomWork.faults(of: said, in: tree) == [])
            }
        }
    }
}
