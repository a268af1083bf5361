import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What a person with two machines and a server at home does, and what goes wrong meanwhile.
    @Suite(
        "A domain as a folder", .enabled(if: Laptop.isPossible), .serialized,
        .timeLimit(.minutes(30)))
    struct LaptopTests {
        private static func text(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }

        @Test("shows on one machine what another one does, both ways")
        func twoMachines() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)

            try Laptop.shell("mkdir notes; echo one >notes/a; ln -s a notes/link", in: here)
            try left.settle("Work")
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Self.text("\(there)/notes/a")) == "one\n"
                })
            try Laptop.shell("echo two >>notes/a; mv notes/a notes/b; chmod 755 notes/b", in: there)
            try right.settle("Work")

            #expect(Patience.until(upTo: .seconds(60)) { access("\(here)/notes/b", F_OK) == 0 })
            #expect(try Self.text("\(here)/notes/b") == "one\ntwo\n")
            #expect(access("\(here)/notes/b", X_OK) == 0)
            // The kernel hears a moment later what is not there any more.
            #expect(Patience.until(upTo: .seconds(10)) { access("\(here)/notes/a", F_OK) != 0 })
            #expect(try Laptop.shell("readlink notes/link", in: here) == "a\n")
            #expect(try left.basket("status").ending == .exit(0))
        }

        @Test("goes on with a copy through ten deaths of its host, and ends well")
        func copyThroughDeaths() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            let source = folder + "-source"
            try Laptop.shell("head -c 400M /dev/urandom >'\(source)'", in: "/")
            defer { unlink(source) }

            let copy = Meanwhile {
                // In steps, so that it lasts.
                try Laptop.shell(
                    "for i in $(seq 0 39); do dd if='\(source)' of=big bs=10M skip=$i seek=$i count=1 conv=notrunc status=none; sleep 0.1; done",
                    in: folder)
            }
            for _ in 0..<10 {
                usleep(500_000)
                try laptop.killHost(of: "Work")
            }
            _ = try copy.result()

            try Laptop.shell("cmp big '\(source)'", in: folder)
            try laptop.settle("Work")
            #expect(laptop.log.components(separatedBy: "host has ended").count > 8)
        }

        @Test(
            "keeps dates to the nanosecond when the server has answered, and changes them as a disk does"
        )
        func dates() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell(
                """
                mkdir d e; echo text >d/f; echo 1 >d/known; ln -s f d/link
                touch -d '1970-01-01 00:16:40.123456789 UTC' d/f; sleep 0.5
                """, in: folder)
            let look = "stat -c '%n %.9Y %.9Z' d e d/*"
            let before = try Laptop.shell(look, in: folder)
            #expect(before.contains("d/f 1000.123456789"))
            try laptop.settle("Work")
            try Laptop.shell("sleep 0.5", in: folder)
            #expect(try Laptop.shell(look, in: folder) == before)
            try laptop.killHost(of: "Work")
            #expect(try Laptop.shell(look, in: folder) == before)
            let said = try Laptop.shell(
                """
                echo 2 >e/new; touch -r d/known e/new; stat -c %.9Y d e >before; stat -c %.9Z d/known >then
                sleep 0.02; mv e/new d/known; stat -c %.9Y d e | paste before - | awk '{ print ($2 > $1) }'
                stat -c %.9Z d/known | paste then - | awk '{ print ($2 > $1) }'
                """, in: folder)
            #expect(said == "1\n1\n1\n")
        }

        @Test("goes on with a host that dies after another version of the program was installed")
        func upgrade() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop(hasOwnProgram: true)
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("echo kept >file", in: folder)
            let host = try #require(try laptop.host(of: "Work"))

            let newer = laptop.program + ".new"
            try Data("#!/bin/sh\nexit 7\n".utf8).write(to: URL(fileURLWithPath: newer))
            chmod(newer, 0o755)
            #expect(rename(newer, laptop.program) == 0)
            kill(host, SIGKILL)

            #expect(try Self.text("\(folder)/file") == "kept\n")
        }

        @Test("has its folders again when everything was killed while programs write to them")
        func killedAtWork() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            // The kernel is told of what comes from there.
            let other = try Laptop("other")
            let there = try other.connect("Work", to: server)
            let theirs = try SafeWork.start(as: "other", seed: 0, in: there)
            defer { theirs.signal(SIGKILL) }
            // In one of twenty, a thread of the daemon's waits in the kernel just then.
            for round in 1...8 {
                let programs = try (1...3).map { number in
                    try SafeWork.start(as: "p\(round)\(number)", seed: round, in: folder)
                }
                usleep(500_000)
                try laptop.killAll(of: "Work")
                try laptop.startDaemon()
                for program in programs {
                    #expect(program.wait(upTo: .seconds(20)) == .exit(0), "\(program.errors.text)")
                }
                try Laptop.shell("echo \(round) >round; cat round >/dev/null", in: folder)
            }
            try laptop.settle("Work")
        }

        @Test("has its folders again when a daemon was killed, with what was not sent")
        func killedDaemon() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try laptop.expect(
                "connect", "Other", "--server", "http://127.0.0.1:\(server.port)",
                "--account", "admin", "--password-stdin", input: server.password + "\n")
            try Laptop.shell("echo kept >file; sync file", in: folder)

            laptop.killDaemon()
            try laptop.startDaemon()

            #expect(try Self.text("\(folder)/file") == "kept\n")
            #expect(access("\(laptop.domains)/Other/", X_OK) == 0)
            try laptop.settle("Work")
        }

        @Test(
            "works without its server on what is here, and says of the rest that it cannot be had")
        func offline() throws {
            let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            try Laptop.shell("mkdir far; echo far >far/away; echo near >near", in: here)
            try left.settle("Work")
            let there = try right.connect("Work", to: server)
            #expect(
                Patience.until(upTo: .seconds(60)) { (try? Self.text("\(there)/near")) == "near\n" }
            )
            #expect(Patience.until(upTo: .seconds(60)) { access("\(there)/far/away", F_OK) == 0 })

            server.kill()
            try Laptop.shell("echo more >>near; mv near nearer; echo new >far/new", in: there)
            #expect(try Self.text("\(there)/nearer") == "near\nmore\n")
            // Until the host has noticed, what is opened says so when it is read.
            let isRefused = Patience.until(upTo: .seconds(5)) {
                let file = open("\(there)/far/away", O_RDONLY)
                if file < 0 { return errno == EHOSTUNREACH }
                close(file)
                return false
            }
            #expect(isRefused)
            #expect(try right.basket("status").ending == .exit(15))

            try server.restart()
            try right.settle("Work")
            #expect(try Self.text("\(there)/far/away") == "far\n")
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Self.text("\(here)/nearer")) == "near\nmore\n"
                })
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Self.text("\(here)/far/new")) == "new\n"
                })
        }

        @Test("holds back that everything is removed, takes it back, and does it when it is meant")
        func massRemoval() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            let there = try right.connect("Work", to: server)
            try Laptop.shell(
                "for d in 1 2 3; do mkdir $d; for f in $(seq 100); do echo $f >$d/$f; done; done",
                in: here)
            try left.settle("Work")
            let whole = "303\n"
            let count = "find . -mindepth 1 | wc -l"
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Laptop.shell(count, in: there)) == whole
                })

            try Laptop.shell("rm -rf *; sleep 1", in: here)
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? left.basket("removals", "Work").output.isEmpty) == false
                })
            let some = try #require(
                Int(Laptop.shell("find . -type f | wc -l", in: there).dropLast()))
            #expect(some > 0)
            try left.expect("removals", "Work", "--undo")
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Laptop.shell(count, in: here)) == (try? Laptop.shell(count, in: there))
                })
            #expect(try Laptop.shell("cat 3/100", in: here) == "100\n")

            try Laptop.shell("rm -rf *; sleep 1", in: here)
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? left.basket("removals", "Work").output.isEmpty) == false
                })
            // What was not noticed yet when somebody said so is asked about once more.
            #expect(
                try Patience.until(upTo: .seconds(30)) {
                    try left.expect("removals", "Work", "--apply")
                    return try left.basket("wait", "Work").ending == .exit(0)
                })
            #expect(
                Patience.until(upTo: .seconds(60)) {
                    (try? Laptop.shell(count, in: there)) == "0\n"
                })
        }

        @Test(
            "says on a full disk that it is full, loses nothing, and goes on when there is room",
            .enabled(if: TemporaryDisk.isPossible))
        func fullDisk() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let disk = try TemporaryDisk(mebibytes: 96)
            let laptop = try Laptop(home: disk.path)
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell(
                "mkdir kept; for i in $(seq 20); do echo $i >kept/$i; done", in: folder)
            try laptop.settle("Work")

            try disk.fill()
            let said = try Laptop.shell(
                "if (head -c 30M /dev/zero >large) 2>&1; then echo written; fi", in: folder)
            #expect(said.contains("No space left on device"))
            #expect(
                try Laptop.shell(
                    "cat kept/* | wc -l; rm -f large kept/1; ls kept | wc -l", in: folder)
                    == "20\n19\n")
            disk.empty()
            try Laptop.shell("head -c 10M /dev/urandom >large; echo more >kept/1; sync", in: folder)
            try laptop.settle("Work")

            #expect(
                try Laptop.shell("stat -c %s large; cat kept/* | wc -l", in: folder)
                    == "10485760\n20\n")
            #expect(try laptop.basket("check", "Work").ending == .exit(0))
        }

        @Test("lets an indexer open every file, and brings it nothing")
        func indexer() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (left, right) = (try Laptop("left"), try Laptop("right"))
            let here = try left.connect("Work", to: server)
            try Laptop.shell(
                "for i in $(seq 20); do head -c 100000 /dev/urandom >$i; done", in: here)
            try left.settle("Work")
            let there = try right.connect("Work", to: server)
            #expect(Patience.until(upTo: .seconds(60)) { access("\(there)/20", F_OK) == 0 })

            // The kernel calls a program by its file's name.
            let program = there + "-program"
            try Laptop.shell("mkdir -p '\(program)'; cp /bin/cat '\(program)/baloo_file'", in: "/")
            defer { try? FileManager.default.removeItem(atPath: program) }
            let said = try Laptop.shell(
                "for i in $(seq 20); do if '\(program)/baloo_file' $i 2>/dev/null >&2; then echo $i; fi; done",
                in: there)
            #expect(said == "")
            #expect(
                try Laptop.shell("du -s --apparent-size . >&2; du -s . | cut -f 1", in: there)
                    == "0\n")
            #expect(try Laptop.shell("cat 1 | wc -c", in: there) == "100000\n")
        }

        @Test("keeps what the server has not got when a domain is disconnected")
        func disconnecting() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop()
            let folder = try laptop.connect("Work", to: server)
            try Laptop.shell("echo sent >sent", in: folder)
            try laptop.settle("Work")
            server.kill()
            try Laptop.shell("echo unsent >unsent", in: folder)

            let held = open("\(folder)/sent", O_RDONLY)
            let refused = try laptop.basket("disconnect", "Work")
            close(held)
            let kept = try laptop.expect("disconnect", "Work")
                .trimmingCharacters(in: .newlines)

            #expect(refused.ending == .exit(11))
            #expect(refused.errors.contains("is in use by"))
            #expect(try Self.text("\(kept)/unsent") == "unsent\n")
            #expect(access("\(kept)/sent", F_OK) != 0)
            #expect(try laptop.basket("status").ending == .exit(10))
        }

        @Test(
            "shows the fingerprint of a server that nobody vouches for, and trusts it when told to")
        func fingerprint() throws {
            let plain = try ServerProcess()
            plain.stop()
            let server = try ChildProcess(
                ServerProgram.path,
                [
                    "serve", "--data", plain.folder, "--listen", "127.0.0.1:0", "--tls", "always",
                ])
            defer { server.signal(SIGKILL) }
            let line = try #require(server.errors.line(with: " listens on "))
            let address = try #require(line.split(separator: " ").last.map(String.init))
            let laptop = try Laptop()
            let words = [
                "connect", "Work", "--server", address, "--account", "admin", "--password-stdin",
            ]

            let refused = try laptop.basket(words, input: plain.password + "\n")
            let shown = try #require(
                refused.errors.split(separator: " ").last { $0.count >= 64 })
            let fingerprint = String(shown.prefix(64))
            let wrong = try laptop.basket(
                words + ["--certificate", String(repeating: "0", count: 64)],
                input: plain.password + "\n")
            let right = try laptop.basket(
                words + ["--certificate", fingerprint], input: plain.password + "\n")

            #expect(refused.ending == .exit(13))
            #expect(wrong.ending == .exit(12))
            #expect(right.ending == .exit(0), "\(right.errors)")
            // What was agreed to is not asked again, and whoever shows another one is not taken for a stranger.
            let again = try laptop.basket(words, input: plain.password + "\n")
            #expect(again.ending == .exit(0), "\(again.errors)")
            server.signal(SIGKILL)
            server.wait()
            try Laptop.shell("rm -r tls", in: plain.folder)
            let other = try ChildProcess(
                ServerProgram.path,
                [
                    "serve", "--data", plain.folder, "--tls", "always", "--listen",
                    String(address.dropFirst("https://".count)),
                ])
            defer { other.signal(SIGKILL) }
            _ = other.errors.line(with: " listens on ")
            let changed = try laptop.basket(words, input: plain.password + "\n")
            #expect(changed.ending == .exit(13))
            #expect(changed.errors.contains("another certificate than before"))
        }
    }
}
