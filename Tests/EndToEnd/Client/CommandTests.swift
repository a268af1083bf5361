import BasketSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// What a person or a script asks of a laptop, word by word.
    @Suite(
        "The commands", .enabled(if: Laptop.isPossible), .serialized, .timeLimit(.minutes(5))
    )
    struct CommandTests {
        @Test("say what is here, bring it, keep it and let it go")
        func contents() throws {
            try CommandScene.play { _, laptop, folder, lines in
                try Laptop.shell("mkdir d; echo one >d/text; echo two >d/other", in: folder)
                try laptop.settle("Work")
                let text = folder + "/d/text"
                #expect(try lines(["domains"]).map { $0["name"] } == ["Work"])
                #expect(
                    try lines(["ls", folder + "/d"]).map { $0["residence"] } == ["whole", "whole"])
                _ = try lines(["evict", text])
                #expect(try lines(["cache"]).map { $0["item"]["path"] } == ["d/other"])
                let story = try #require(try lines(["why", text]).first)
                #expect(story["report"]["here"] == 0)
                _ = try lines(["pin", folder + "/d"])
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? lines(["cache"]).count) == 2
                    })
                #expect(try lines(["cache"]).allSatisfy { $0["reason"] != "may_go" })
                #expect(
                    try lines(["marks", folder + "/d"]).map { $0["identifier"] } == [
                        "basket.pinned"
                    ])
                _ = try lines(["unpin", folder + "/d"])
                _ = try lines(["evict", text])
                #expect(try lines(["download", text]).map { $0["files"] } == [1])
                #expect(try lines(["hydrations"]).first?["item"]["path"] == "d/text")
                for word in ["pending", "rescued", "removals", "check", "conflicts", "trash"] {
                    #expect(try lines([word]).isEmpty, "\(word)")
                }
                #expect(try lines(["doctor"]).allSatisfy { $0["verdict"] == "fine" })
            }
        }

        @Test("have a domain pause, go on, be switched off and on, and go")
        func domain() throws {
            try CommandScene.play { _, laptop, folder, lines in
                // In what was listed once, names can be given without a server.
                try Laptop.shell("ls", in: folder)
                #expect(try lines(["ls", folder]).isEmpty)
                _ = try lines(["pause"])
                try Laptop.shell("echo late >late", in: folder)
                let paused = try laptop.basket("status")
                #expect(paused.ending == .exit(15) && paused.output.contains("basket resume"))
                _ = try lines(["resume"])
                try laptop.settle("Work")
                _ = try lines(["refresh"])
                #expect(try laptop.basket("status").ending == .exit(0))
                _ = try lines(["disable", "Work"])
                #expect(access(folder + "/late", F_OK) != 0)
                _ = try lines(["enable", "Work"])
                #expect(access(folder + "/late", F_OK) == 0)
                _ = try lines(["disconnect", "Work"])
                #expect(try lines(["domains"]).isEmpty)
            }
        }

        @Test("tell of versions, bring them back, and decide where several wait")
        func versions() throws {
            try CommandScene.play { server, laptop, folder, lines in
                let text = folder + "/text"
                for word in ["one", "two"] {
                    try Laptop.shell("echo \(word) >text", in: folder)
                    try laptop.settle("Work")
                }
                let versions = try lines(["versions", text])
                #expect(versions.map { $0["standing"] } == ["current", "earlier"])
                #expect(try lines(["log", text]).map { $0["change"] } == ["written", "written"])
                _ = try lines(["restore", text])
                try laptop.settle("Work")
                #expect(try String(contentsOfFile: text, encoding: .utf8) == "one\n")

                // Somebody else writes over what neither has seen of the other.
                let caller = server.stranger()
                caller.token = try ServerProcess.logIn(
                    server.port, server.password, device: "phone")
                let id = try #require(try lines(["why", text]).first?["report"]["item"].string)
                let late = try caller.put(
                    "/v1/domains/Work/items/\(id)/content?onConflict=keep", Array("theirs\n".utf8),
                    ["If-Match": "\"\(versions[1]["version"].string ?? "")\""])
                #expect(late.status == 200)
                #expect(
                    Patience.until(upTo: .seconds(30)) { (try? lines(["conflicts"]).count) == 1 })
                _ = try lines(["resolve", text, "--keep", "other"])
                try laptop.settle("Work")
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? String(contentsOfFile: text, encoding: .utf8)) == "theirs\n"
                    })
                #expect(try lines(["conflicts"]).isEmpty)
            }
        }

        @Test(
            "reach what the server offers beside files: actions, marks, pictures, words, the trash")
        func offers() throws {
            try CommandScene.play { server, laptop, folder, lines in
                try Laptop.shell("echo needle >haystack.txt; echo gone >gone", in: folder)
                try Self.picture.write(to: URL(fileURLWithPath: folder + "/picture.png"))
                try laptop.settle("Work")
                let text = folder + "/haystack.txt"
                #expect(try lines(["search", "haystack"]).map { $0["name"] } == ["haystack.txt"])
                let actions = try lines(["actions", text]).compactMap { $0["identifier"].string }
                #expect(actions.contains("basket.lock") && actions.contains("basket.favorite"))
                _ = try lines(["act", "lock", text])
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? lines(["marks", text]))?.contains {
                            $0["identifier"].string?.contains("lock") == true
                        } == true
                    })
                let picture = folder + "/picture.png"
                let small = NSTemporaryDirectory() + "/small-\(UUID().uuidString)"
                defer { unlink(small) }
                // Whoever asks for it soon does not ask the server again, but whoever does later.
                let none = try laptop.basket("thumbnail", picture, "--output", small)
                #expect(none.ending == .exit(10) && none.errors.contains("no picture"))
                let id = try #require(try lines(["why", picture]).first?["report"]["item"].string)
                let caller = server.caller()
                let put = try caller.put(
                    "/v1/domains/Work/items/\(id)/thumbnail", Array(Self.picture),
                    ["Content-Type": "image/png"])
                #expect(put.status < 300)
                #expect(
                    Patience.until(upTo: .seconds(60)) {
                        (try? laptop.expect("thumbnail", picture, "--output", small)) != nil
                    })
                #expect(try Data(contentsOf: URL(fileURLWithPath: small)) == Self.picture)

                try Laptop.shell("mkdir -p .Trash-0/files && mv gone .Trash-0/files/", in: folder)
                try laptop.settle("Work")
                #expect(try lines(["trash"]).map { $0["name"] } == ["gone"])
                _ = try lines(["trash", folder, "--restore", "gone"])
                try laptop.settle("Work")
                #expect(
                    Patience.until(upTo: .seconds(30)) { access(folder + "/gone", F_OK) == 0 })
            }
        }

        @Test(
            "teach: each has an example, says what its ends mean, and is in manuals and completions"
        )
        func help() throws {
            let laptop = try Laptop()
            let overview = try laptop.expect("--help")
            let commands = overview.split(separator: "\n").compactMap { line -> String? in
                guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  -") else {
                    return nil
                }
                let word = line.dropFirst(2).prefix { $0 != " " }
                return word.allSatisfy(\.isLowercase) && word != "basket" ? String(word) : nil
            }
            #expect(commands.count > 35)
            let shells = try ["bash", "zsh", "fish"].map { try laptop.expect("completions", $0) }
            let manual = try laptop.expect("man")
            for command in commands {
                let help = try laptop.expect(command, "--help")
                #expect(help.hasPrefix("Example"), "\(command)")
                #expect(help.contains("Usage: basket \(command)"), "\(command)")
                #expect(help.contains("Exit status:"), "\(command)")
                #expect(try laptop.expect("man", command).contains(".SH NAME"), "\(command)")
                #expect(manual.contains(command), "\(command)")
                for shell in shells { #expect(shell.contains(command), "\(command)") }
                // A word that nobody knows is an error of use, and says where to look.
                let (ending, _, errors) = try laptop.basket(command, "--no-such-option")
                #expect(ending == .exit(2) && errors.contains("--help"), "\(command)")
            }
        }

        /// Eight black pixels by eight.
        private static let picture =
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAADElEQVR4nGNgGB4AAADIAAGtQHYiAAAAAElFTkSuQmCC"
            ) ?? Data()
    }
}
