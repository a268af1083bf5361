import BasketSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// What the words after a command's change.
    @Suite(
        "The options of commands", .enabled(if: Laptop.isPossible), .serialized,
        .timeLimit(.minutes(10)))
    struct CommandOptionTests {
        private static func text(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }

        @Test("bring back one version among several, and whatever was deleted since")
        func restoring() throws {
            try CommandScene.play { server, laptop, folder, lines in
                for word in ["one", "two", "three"] {
                    try Laptop.shell("echo \(word) >text", in: folder)
                    try laptop.settle("Work")
                }
                let oldest = try #require(
                    try lines(["versions", folder + "/text"]).last?["version"].string)
                _ = try lines(["restore", folder + "/text", "--version", oldest])
                try laptop.settle("Work")
                #expect(try Self.text(folder + "/text") == "one\n")
                let newest = try #require(
                    try lines(["versions", folder + "/text"]).first?["version"].string)
                let story = try laptop.expect("why", folder + "/text")
                for side in ["here      ", "server    "] {
                    #expect(story.contains("\(side) ‘text’, version \(newest)"), "\(story)")
                }
                let unknown = try laptop.basket(
                    "restore", folder + "/text", "--version", "nothing")
                #expect(unknown.ending == .exit(10) && unknown.errors.contains("basket versions"))

                // Deleted by two, and one of the names is somebody else's by now.
                try Laptop.shell(
                    "echo mine >mine; echo theirs >theirs; echo old >again", in: folder)
                try laptop.settle("Work")
                let caller = server.caller()
                let theirs = try #require(
                    try lines(["why", folder + "/theirs"]).first?["report"]["item"].string)
                #expect(
                    try caller.delete("/v1/domains/Work/items/\(theirs)").status
                        < 300)
                try Laptop.shell("rm mine again; sleep 1; echo new >again", in: folder)
                try laptop.settle("Work")
                let own = try lines([
                    "restore", folder, "--deleted-since", "1h", "--this-device",
                ])
                #expect(own.map { $0["restored"] } == [1] && own.map { $0["skipped"] } == [1])
                let all = try lines(["restore", folder, "--deleted-since", "1h", "--all"])
                #expect(all.map { $0["restored"] } == [2])
                try laptop.settle("Work")
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? Laptop.shell("cat mine theirs again | sort; ls | wc -l", in: folder))
                            == "mine\nnew\ntheirs\n5\n"
                    })
            }
        }

        @Test("keep what a conflict's sides hold: all of it, or what is there")
        func resolving() throws {
            try CommandScene.play { server, laptop, folder, lines in
                let phone = server.stranger()
                phone.token = try ServerProcess.logIn(
                    server.port, server.password, device: "phone")
                for name in ["all", "current"] {
                    try Laptop.shell("echo one >\(name)", in: folder)
                    try laptop.settle("Work")
                    let path = folder + "/" + name
                    let first = try #require(
                        try lines(["versions", path]).first?["version"].string)
                    let id = try #require(
                        try lines(["why", path]).first?["report"]["item"].string)
                    try Laptop.shell("echo mine >\(name)", in: folder)
                    try laptop.settle("Work")
                    let late = try phone.put(
                        "/v1/domains/Work/items/\(id)/content?onConflict=keep",
                        Array("theirs\n".utf8), ["If-Match": "\"\(first)\""])
                    #expect(late.status == 200)
                    #expect(
                        Patience.until(upTo: .seconds(30)) {
                            (try? lines(["conflicts"]).count) == 1
                        })
                    _ = try lines(["resolve", path, "--keep", name])
                    try laptop.settle("Work")
                    #expect(
                        Patience.until(upTo: .seconds(30)) {
                            (try? lines(["conflicts"]).isEmpty) == true
                        })
                }
                #expect(try Self.text(folder + "/current") == "mine\n")
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? Laptop.shell("cat all*| sort; ls | wc -l", in: folder))
                            == "mine\ntheirs\n3\n"
                    })
                let wrong = try laptop.basket("resolve", folder + "/all", "--keep", "both")
                #expect(wrong.ending == .exit(2))
            }
        }

        @Test("empty the trash, tell why a domain rests, look deeper, and list names alone")
        func rest() throws {
            try CommandScene.play { _, laptop, folder, lines in
                try Laptop.shell(
                    "echo gone >gone; mkdir -p .Trash-0/files; mv gone .Trash-0/files", in: folder)
                try laptop.settle("Work")
                #expect(try lines(["trash"]).count == 1)
                _ = try lines(["trash", folder, "--empty"])
                try laptop.settle("Work")
                #expect(
                    Patience.until(upTo: .seconds(30)) { (try? lines(["trash"]).isEmpty) == true })

                _ = try lines(["pause", "--reason", "on the train"])
                #expect(try laptop.basket("status").output.contains("on the train"))
                _ = try lines(["resume"])

                for (words, message) in [([], "are whole"), (["--deep"], "agrees")] {
                    let findings = try lines(["doctor"] + words)
                    #expect(findings.allSatisfy { $0["verdict"] == "fine" })
                    let replica = findings.first { $0["check"] == "replica" }
                    #expect(replica?["message"].string?.contains(message) == true)
                    #expect(findings.contains { $0["check"] == "versions" })
                }
                #expect(try laptop.expect("domains", "--names") == "Work\n")
                laptop.stopDaemon()
                #expect(try laptop.expect("domains", "--names") == "")
            }
        }

        @Test(
            "leave of a domain that goes what is here, or nothing",
            arguments: ["downloaded", "nothing"])
        func leaving(keep: String) throws {
            try CommandScene.play { server, laptop, folder, lines in
                try Laptop.shell("mkdir d; echo here >d/here; echo away >d/away", in: folder)
                try laptop.settle("Work")
                _ = try lines(["evict", folder + "/d/away"])
                server.kill()
                try Laptop.shell("echo unsent >d/unsent", in: folder)
                let kept = try lines(["disconnect", "Work", "--keep", keep]).first?["kept"].string
                if keep == "nothing" {
                    #expect(kept == nil)
                    #expect(try Laptop.shell("ls", in: laptop.domains) == "")
                } else {
                    let place = try #require(kept)
                    #expect(
                        try Laptop.shell("cat d/here d/unsent; ls d", in: place)
                            == "here\nunsent\nhere\nunsent\n")
                }
            }
        }

        @Test("of waiting name a domain, or none: then all of them are waited for")
        func waiting() throws {
            try CommandScene.play { server, laptop, folder, _ in
                let home = try laptop.connect("Home", to: server)
                for place in [folder, home] {
                    try Laptop.shell("for i in $(seq 30); do echo $i >f$i; done", in: place)
                }
                try laptop.expect("wait")
                let caller = server.caller()
                for name in ["Work", "Home"] {
                    let page = try caller.expect(
                        200, try caller.get("/v1/domains/\(name)/items/root/children"))
                    #expect(page["items"].array.count == 30)
                }
                try laptop.expect("disable", "Home")
                let (ending, _, errors) = try laptop.basket("wait")
                #expect(ending == .exit(12) && errors.contains("basket enable"), "\(errors)")
                try laptop.expect("wait", "Work")
            }
        }

        /// Hands on what comes through a socket, as a proxy on the same machine does.
        private static let door = """
            import socket, sys, threading
            def hand(one, other):
                while data := one.recv(1 << 16): other.sendall(data)
                other.shutdown(socket.SHUT_WR)
            door = socket.socket(socket.AF_UNIX); door.bind(sys.argv[1]); door.listen(16)
            print("open", file=sys.stderr, flush=True)
            while True:
                one, other = door.accept()[0], socket.create_connection(("127.0.0.1", int(sys.argv[2])))
                for pair in (one, other), (other, one): threading.Thread(target=hand, args=pair, daemon=True).start()
            """

        @Test("reach a server through a socket of the machine's own")
        func socket() throws {
            let place = try TemporaryFolder()
            let server = try ServerProcess()
            defer { server.kill() }
            let door = try ChildProcess(
                "/usr/bin/env",
                ["python3", "-c", Self.door, place.path + "/socket", "\(server.port)"])
            defer { door.signal(SIGKILL) }
            #expect(door.errors.line(with: "open") != nil)
            let laptop = try Laptop()
            let folder = try laptop.expect(
                "connect", "Work", "--unix-socket", place.path + "/socket", "--account", "admin",
                "--password-stdin", "--device", "laptop", input: server.password + "\n"
            ).trimmingCharacters(in: .newlines)
            try Laptop.shell("echo through >it", in: folder)
            try laptop.settle("Work")
            let listed = try server.caller().expect(
                200, try server.caller().get("/v1/domains/Work/items/root/children"))
            #expect(listed["items"].array.map { $0["name"] } == ["it"])
        }
    }
}
