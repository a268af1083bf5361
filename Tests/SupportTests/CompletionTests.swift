import BasketSupport
import Foundation
import Testing

@Suite("Completion in a shell")
struct CompletionTests {
    /// What bash offers for a line whose last word is being typed.
    /// (Foundation's Process would do, but what it keeps for good looks like a leak to the sanitizers.)
    private static func offered(_ words: [String], accounts: String) throws -> [String] {
        let script = CompletionScript(of: SampleProgram.command).text(for: .bash)
        let quoted = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        let text = """
            my-store() { printf '%s\\n' \(accounts); }
            \(script)
            COMP_WORDS=(\(quoted.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
            _my_store
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "completion-\(UUID()).bash")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bash = try #require(popen("/bin/bash --norc '\(file.path)'", "r"))
        var bytes: [UInt8] = []
        while case let byte = getc(bash), byte != EOF { bytes.append(UInt8(byte)) }
        #expect(pclose(bash) == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "offers commands, options, and what a value or an argument may be",
        arguments: [
            ([""], ["put", "account"]), (["p"], ["put"]), (["x"], []),
            (["account", ""], ["show", "list"]), (["--json", "account", "sh"], ["show"]),
            (["put", "--"], ["--mode", "--list", "--trash", "--no-trash", "--json", "--help"]),
            (["put", "--mode", ""], ["quick", "safe"]), (["put", "-m", "s"], ["safe"]),
            (["put", "--mode", "="], ["quick", "safe"]),
            (["put", "--mode", "=", "q"], ["quick"]),
            (["put", "--mode", "=", "quick", "--tr"], ["--trash"]),
            (["put", "--", "-"], []), (["put", ""], []), (["put", "--list", ""], []),
            (["account", "show", "a"], ["ann", "a\\ b"]), (["account", "show", "a\\ "], ["a\\ b"]),
            (["account", "show", "ann", ""], ["all", "new"]),
            (["account", "show", "ann", "all", ""], []), (["account", "list", ""], []),
        ] as [([String], [String])])
    func bash(words: [String], offered: [String]) throws {
        let found = try Self.offered(["my-store"] + words, accounts: "ann 'a b' bob")
        #expect(found == offered)
    }

    @Test("brings each command, option and value into the scripts of other shells")
    func others() {
        let script = CompletionScript(of: SampleProgram.command)
        let zsh = script.text(for: .zsh)
        #expect(zsh.hasPrefix("#compdef my-store\n"))
        #expect(zsh.contains("'put:Keeps files: all of them.'"))
        #expect(
            zsh.contains("'--mode=[How \\[it\\] is done.]:quick|safe:(quick safe)'"))
        #expect(zsh.contains("'*--list=[Which ones.]:FILE:_files'"))
        #expect(zsh.contains("'--no-trash[Keep what it was.]'"))
        #expect(zsh.contains("':NAME:{_my_store_lines account list}'"))
        #expect(zsh.contains("show) _my_store_account_show ;;"))
        let fish = script.text(for: .fish)
        #expect(
            fish.contains(
                "complete -c my-store -n '__my_store_is my-store' -a 'put' -d 'Keeps files: all of them.'"
            ))
        #expect(fish.contains("-l mode -r -f -a 'quick safe' -d 'How [it] is done.'"))
        #expect(fish.contains("-s m -r -f -a 'quick safe'"))
        #expect(fish.contains("-a '(command my-store account list 2>/dev/null)'"))
    }
}
