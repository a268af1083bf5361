import Testing

extension EndToEnd.Trials {
    @Suite("A file that a desktop throws away")
    struct TrashTests {
        /// Runs a script in a desktop's session of its own, in which `listed` is the address of what was thrown away. The
        /// trash is a service there, which finds out by itself what is mounted.
        static func session(_ script: String) -> String {
            """
            cat >$aside/script <<'END'
            listed() {
                for i in $(seq 50); do
                    gio list -u trash:/// | grep "$mark" | grep letter && return; sleep 0.2
                done; return 1
            }
            \(script)
            END
            mark=$(basename "${PWD%/Basket/Work}"); export aside mark XDG_RUNTIME_DIR=$aside XDG_DATA_HOME=$aside/data; mkdir -p $aside/data
            if ! timeout 60 dbus-run-session -- bash -eu $aside/script >$aside/said 2>&1; then cat $aside/said >&2; exit 1; fi
            """
        }

        @Test("is in the domain's trash, and comes back as the same")
        func thrownAway() throws {
            try TrialScene.play { scene in
                try scene.shell("mkdir papers; echo dear >papers/letter; echo other >papers/other")
                try scene.settle()
                let before = try scene.item(at: "papers/letter")

                try scene.shell(Self.session("gio trash papers/letter; listed >/dev/null"))
                #expect(try scene.shell("ls papers") == "other\n")
                try scene.settle()
                let trashed = try scene.children(of: "trash")
                #expect(trashed.map(\.["id"]) == [before["id"]])
                #expect(try scene.children(of: "root").compactMap(\.["name"].string) == ["papers"])

                try scene.shell(Self.session("gio trash --restore \"$(listed)\""))
                #expect(try scene.shell("cat papers/letter") == "dear\n")
                try scene.settle()
                #expect(try scene.item(at: "papers/letter")["id"] == before["id"])
                #expect(try scene.children(of: "trash") == [])
            }
        }

        @Test("comes back on another machine too, which has seen it thrown away")
        func elsewhere() throws {
            try TrialScene.play { scene in
                try scene.shell("mkdir papers; echo dear >papers/letter; echo sir >papers/note")
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)
                let before = try scene.item(at: "papers/letter")
                try scene.shell(
                    Self.session("gio trash papers/letter papers/note; listed >/dev/null"))
                try scene.settle()
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? scene.shell("ls papers; ls .Trash-0/files", in: there))
                            == "letter\nnote\n"
                    })

                try scene.shell("mv .Trash-0/files/letter papers/", in: there)
                try other.expect("trash", there, "--restore", "note")
                try scene.settle(other)
                #expect(
                    Patience.until(upTo: .seconds(30)) {
                        (try? scene.shell("cat papers/letter papers/note")) == "dear\nsir\n"
                    })
                #expect(try scene.item(at: "papers/letter")["id"] == before["id"])
                #expect(try scene.children(of: "trash") == [])
            }
        }
    }
}
