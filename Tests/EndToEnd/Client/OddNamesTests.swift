import Foundation
import Testing

extension EndToEnd {
    @Suite(
        "Names that few programs expect", .enabled(if: Laptop.isPossible), .timeLimit(.minutes(3)))
    struct OddNamesTests {
        /// Each of a file and of a folder.
        private static let names = """
            names = [
                "n" * 255, "\\U0001f9fa" * 63, "\\u00fc" * 127, "a\\nb", "\\n", " first", "last ", "...",
                ".hidden", "-rf", "*", "?", "~x", "$(touch x)", "`x`", "'", '"', "\\\\", "\\\\x", "a\\tb", "\\x01", "\\x7f",
                "%2e%2e", "%00", "CON", "nul", "a:b", "a|b", "<a>", "u\\u0308", "\\u202egpj.exe", "\\ufeff",
                "#", "&", ";", "name.", "\\U0001f468\\u200d\\U0001f469\\u200d\\U0001f467",
            ]
            """

        @Test("are everywhere as they were given, byte for byte, and so is what they name")
        func everywhere() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let (laptop, other) = (try Laptop(), try Laptop("other"))
            let folder = try laptop.connect("Work", to: server)
            let there = try other.connect("Work", to: server)
            let script = laptop.home + "/names.py"
            try """
            import os, sys
            \(Self.names)
            if sys.argv[1] == "make":
                for kind in ("files", "folders"):
                    os.mkdir(kind)
                for number, name in enumerate(names):
                    with open(os.path.join("files", name), "w") as file:
                        file.write(str(number))
                    os.mkdir(os.path.join("folders", name))
                    with open(os.path.join("folders", name, name), "w") as file:
                        file.write(str(number))
            if sys.argv[1] == "turn":
                for kind in ("files", "folders"):
                    for number, name in enumerate(names):
                        os.rename(os.path.join(kind, name), os.path.join(kind, "aside %d" % number))
                    for number, name in enumerate(names):
                        new = names[(number + 1) % len(names)]
                        os.rename(os.path.join(kind, "aside %d" % number), os.path.join(kind, new))
            by = 1 if sys.argv[1] == "turn" or sys.argv[-1] == "turned" else 0
            for kind in ("files", "folders"):
                assert sorted(os.listdir(kind)) == sorted(names), (kind, sorted(set(os.listdir(kind)) ^ set(names)))
            for number, name in enumerate(names):
                new = names[(number + by) % len(names)]
                for path in (os.path.join("files", new), os.path.join("folders", new, name)):
                    with open(path) as file:
                        text = file.read()
                    assert text == str(number), (path, text, number)
            """.write(toFile: script, atomically: true, encoding: .utf8)

            try laptop.shell("python3 -B '\(script)' make", in: folder)
            for one in [laptop, other] { try one.settle("Work") }
            try other.shell("python3 -B '\(script)' look", in: there)
            try other.shell("python3 -B '\(script)' turn", in: there)
            for one in [other, laptop] { try one.settle("Work") }
            try laptop.shell("python3 -B '\(script)' look turned", in: folder)
        }
    }
}
