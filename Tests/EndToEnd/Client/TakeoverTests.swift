import BasketSupport
import Foundation
import Testing

extension EndToEnd {
    /// A host that dies takes along what it had open for programs. The next one opens it anew, by the kernel's numbers.
    @Suite("What programs have open when a host dies", .timeLimit(.minutes(5)))
    struct TakeoverTests {
        @Test(
            "is theirs, though its name went to other bytes before, and nobody reads others' in its place",
            arguments: [0, 1500])
        func saved(milliseconds: UInt32) throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell(
                "printf old >doc; printf 1 >log; printf old >alone; touch other", in: folder)
            try laptop.settle("Work")
            let (ready, go) = (folder + "-ready", folder + "-go")
            defer { for path in [ready, go] { unlink(path) } }

            let programs = Meanwhile {
                try Laptop.shell(
                    """
                    exec 7>>log; mv log log.1; printf 2 >log
                    exec 8<doc 9>draft; printf new >&9; mv draft doc
                    exec 6>draft2; printf new >&6; mv draft2 alone
                    before=$(stat -c %i doc); touch '\(ready)'
                    until test -e '\(go)'; do sleep 0.02; done
                    printf ' text' >&9; printf ' more' >&7
                    cat doc; echo " $(stat -c %s doc)"; cat log.1; echo " $(cat log)"
                    test "$(stat -c %i doc)" = "$before"
                    printf 'er' >&6; cat alone; echo
                    if cat <&8 2>/dev/null; then echo 'others read'; fi
                    printf newer >draft; mv draft doc; cat doc; echo
                    """, in: folder)
            }
            #expect(Patience.until(upTo: .seconds(20)) { access(ready, F_OK) == 0 })
            // The draft, as far as there is anything left of it, is gone some time after that.
            usleep(milliseconds * 1000)
            try laptop.killHost(of: "Work")
            #expect(FileManager.default.createFile(atPath: go, contents: nil))
            #expect(try programs.result() == "new text 8\n1 more 2\nnewer\nnewer\n")

            // Nor is anything of it left for the host after that.
            try laptop.killHost(of: "Work")
            let said = try Laptop.shell("cat doc log log.1; stat -c ' %s' doc", in: folder)
            #expect(said == "newer21 more 5\n")
            try laptop.settle("Work")
        }

        @Test("is theirs also where somebody else writes to it then, and that is sent")
        func written() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("for n in $(seq 20); do echo first >log$n; done", in: folder)
            try laptop.settle("Work")
            let (ready, go) = (folder + "-ready", folder + "-go")
            defer { for path in [ready, go] { unlink(path) } }
            let programs = Meanwhile {
                try Laptop.shell(
                    """
                    python3 - <<'END'
                    import os, time
                    files = [open("log%d" % n) for n in range(1, 21)]
                    for f in files: assert f.read() == "first\\n"
                    open("\(ready)", "w").close()
                    while not os.path.exists("\(go)"): time.sleep(0.02)
                    print({f.read() for f in files})
                    END
                    """, in: folder)
            }
            #expect(Patience.until(upTo: .seconds(20)) { access(ready, F_OK) == 0 })
            try laptop.killHost(of: "Work")
            try Laptop.shell("for n in $(seq 20); do echo more >>log$n; done", in: folder)
            try laptop.settle("Work")
            #expect(FileManager.default.createFile(atPath: go, contents: nil))
            #expect(try programs.result() == "{'more\\n'}\n")
        }

        @Test("and those of other domains notice nothing")
        func others() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            _ = try laptop.connect("Work", to: server)
            let other = try laptop.connect("Home", to: server)
            let host = try laptop.host(of: "Home")
            let writing = Meanwhile {
                try Laptop.shell(
                    "for i in $(seq 200); do echo $i >f$i; cat f$i >/dev/null; sleep 0.01; done; cat f* | wc -l",
                    in: other)
            }
            for _ in 0..<3 {
                try laptop.killHost(of: "Work")
                try laptop.expect("wait", "Work")
            }
            #expect(try writing.result() == "200\n")
            #expect(try laptop.host(of: "Home") == host)
        }

        @Test("and where they stand is what they know")
        func standing() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("mkdir -p project/deep; echo text >project/file", in: folder)
            try laptop.settle("Work")
            let (ready, go) = (folder + "-ready", folder + "-go")
            defer { for path in [ready, go] { unlink(path) } }

            let programs = Meanwhile {
                try Laptop.shell(
                    """
                    cd project/deep; touch '\(ready)'
                    python3 -c 'import os, sys; any(not os.getcwd() for _ in iter(lambda: os.path.exists(sys.argv[1]), True))' '\(go)'
                    cd ..
                    /bin/pwd -P; cd deep; /bin/pwd -P; cat ../file
                    """, in: folder)
            }
            #expect(Patience.until(upTo: .seconds(20)) { access(ready, F_OK) == 0 })
            for _ in 0..<3 {
                try laptop.killHost(of: "Work")
                // The next one has the kernel forget what may have changed meanwhile.
                try laptop.expect("wait", "Work")
                usleep(500_000)
            }
            #expect(FileManager.default.createFile(atPath: go, contents: nil))
            let here = folder + "/project"
            #expect(try programs.result() == "\(here)\n\(here)/deep\ntext\n")
        }
    }
}
