import Testing

extension EndToEnd.Trials {
    @Suite("A file that an editor saves")
    struct EditorTests {
        /// Each makes `two` of what `file` says.
        private struct Editor: CustomTestStringConvertible, Sendable {
            let name: String
            let script: String

            init(_ name: String, _ script: String) {
                (self.name, self.script) = (name, script)
            }

            var testDescription: String { name }
        }

        private static let editors = [
            Editor(
                "vim, with a copy of the old one",
                "vim -es -u NONE -c 'set backup writebackup backupcopy=no' -c '%s/one/two/' -c wq file"
            ),
            Editor(
                "vim, in place",
                "vim -es -u NONE -c 'set backupcopy=yes' -c '%s/one/two/' -c wq file"
            ),
            Editor(
                "nano",
                """
                cat >$aside/script <<'END'
                set timeout 30
                spawn -noecho nano -I file
                expect "one"
                send "two \\x0f"
                expect "Write"
                send "\\r"
                expect "Wrote"
                send "\\x18"
                expect eof
                END
                expect $aside/script >$aside/said; grep -q two file
                """
            ),
            Editor("sed", "sed -i s/one/two/ file"),
            Editor(
                "a program that writes beside, syncs and renames",
                """
                python3 - <<'END'
                import os
                with open("file.new", "w") as f:
                    f.write("two\\n"); f.flush(); os.fsync(f.fileno())
                os.rename("file.new", "file")
                d = os.open(".", os.O_RDONLY); os.fsync(d)
                END
                """
            ),
            Editor(
                "a program that keeps the old one beside",
                "cp file file.old; mv file file.bak; echo two >file; rm file.bak file.old"
            ),
        ]

        @Test("keeps its identifier, and has one version more", arguments: editors)
        private func saved(editor: Editor) throws {
            try TrialScene.play { scene in
                try scene.shell("echo one >file")
                try scene.settle()
                let before = try scene.item(at: "file")
                for round in 1...2 {
                    if round == 2 {
                        try scene.shell("sed -i s/two/one/ file")
                        try scene.settle()
                    }
                    let count = try scene.versionCount(of: before)
                    try scene.shell(editor.script)
                    try scene.settle()

                    let after = try scene.item(at: "file")
                    #expect(after["id"] == before["id"], "\(editor.name)")
                    #expect(try scene.versionCount(of: before) == count + 1, "\(editor.name)")
                    #expect(try scene.shell("cat file").contains("two"))
                    let names = try scene.children(of: "root").compactMap(\.["name"].string)
                    #expect(
                        names.sorted()
                            == (try scene.shell("ls").split(separator: "\n").map(String.init)))
                }
            }
        }

        static let convert =
            "timeout 180 soffice -env:UserInstallation=file://$aside/profile --headless --convert-to"

        @Test("that LibreOffice writes keeps its identifier, and its lock stays on the machine")
        func office() throws {
            try TrialScene.play { scene in
                try scene.shell(
                    "echo 'Dear reader' >$aside/letter.txt; \(Self.convert) odt --outdir . $aside/letter.txt >$aside/said 2>&1; test -s letter.odt",
                    upTo: .seconds(240))
                try scene.settle()
                let before = try scene.item(at: "letter.odt")
                let count = try scene.versionCount(of: before)

                try scene.shell(
                    "echo 'Dear reader, it is late' >$aside/letter.txt; \(Self.convert) odt --outdir . $aside/letter.txt >$aside/said 2>&1",
                    upTo: .seconds(240))
                try scene.settle()
                let after = try scene.item(at: "letter.odt")
                #expect(after["id"] == before["id"])
                #expect(try scene.versionCount(of: before) == count + 1)
                // What lies in the domain is what it reads, too.
                try scene.shell(
                    "\(Self.convert) txt --outdir . letter.odt >$aside/said 2>&1",
                    upTo: .seconds(240))
                #expect(try scene.shell("cat letter.txt").contains("it is late"))

                // As somebody makes who has it open: it stays here, and is heeded.
                try scene.shell(
                    """
                    echo ',root,laptop,25.11.2026 21:00,file:///root;' >'.~lock.letter.odt#'
                    \(Self.convert) odt --outdir . $aside/letter.txt >$aside/said 2>&1
                    grep -q Error: $aside/said
                    """, upTo: .seconds(240))
                try scene.settle()
                #expect(
                    try scene.children(of: "root").compactMap(\.["name"].string).sorted()
                        == ["letter.odt", "letter.txt"])
                #expect(try scene.shell("ls -A") == ".~lock.letter.odt#\nletter.odt\nletter.txt\n")
                #expect(try scene.versionCount(of: before) == count + 1)
            }
        }
    }
}
