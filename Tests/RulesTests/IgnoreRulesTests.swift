import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("What stays on a device")
struct IgnoreRulesTests {
    private func rules(
        _ lists: [String: String], _ rule: CaseRule = .posix
    ) -> IgnoreRules {
        var rules = IgnoreRules(caseRule: rule)
        for (folder, text) in lists {
            let components = folder.split(separator: "/").map(String.init)
            rules.setList(IgnoreList(patterns: text, caseRule: rule), in: components)
        }
        return rules
    }

    @Test(
        "is what editors and systems leave for a moment",
        arguments: CaseRule.allCases,
        [
            ".report.txt.swp", ".swo", "4913", "#notes#", ".#notes", "notes.txt~",
            ".main.c.kate-swp", ".goutputstream-A1B2C3", ".~lock.letter.odt#", "~$letter.docx",
            "~WRL0001.tmp", ".DS_Store", "._photo.jpg", "Thumbs.db", "desktop.ini", "Desktop.ini",
            ".fuse_hidden0000000500000001", ".nfs000000000123abcd00000002", "film.mkv.crdownload",
            "film.mkv.part",
        ])
    func temporaryFiles(rule: CaseRule, name: String) {
        let verdict = rules([:], rule).verdict(path: ["Documents", name], isFolder: false)
        guard case .ignored(let reason) = verdict else {
            Issue.record("\(name) is kept")
            return
        }
        #expect(reason.place == .builtIn)
        #expect(reason.path == ["Documents", name])
    }

    @Test(
        "is the trash of a desktop, and what a system keeps for itself",
        arguments: [".Trash-1000", ".~tmp~", "$RECYCLE.BIN", ".Spotlight-V100"])
    func systemFolders(name: String) {
        #expect(rules([:]).verdict(path: [name], isFolder: true).isIgnored)
        #expect(rules([:]).verdict(path: [name, "files", "a.txt"], isFolder: false).isIgnored)
        #expect(rules([:]).verdict(path: ["a\(name)"], isFolder: true) == .kept(nil))
    }

    @Test(
        "is nothing that somebody might have named so",
        arguments: [
            "report.txt", "report.tmp", "a.partial", ".bashrc.backup", "draft.docx.aB3dE9",
            ".config", ".swift", "swp", "#1 hits.m3u", "~", "a~b", ".nfs", ".nfsmount", "part",
            "Trash-1", "thumbs.db.txt", "sw.swq", "lock.odt#",
        ])
    func ordinaryFiles(name: String) {
        let isBackup = name == "~"
        #expect(rules([:]).verdict(path: [name], isFolder: false).isIgnored == isBackup)
    }

    @Test("is no folder because of a pattern for files", arguments: ["4913", "old~", "x.part"])
    func filePatterns(name: String) {
        #expect(rules([:]).verdict(path: [name], isFolder: true) == .kept(nil))
    }

    @Test("is understood line by line")
    func builtInLists() {
        for rule in CaseRule.allCases {
            let lists = BuiltInIgnoreLists.of(rule)
            #expect(lists.files.flaws.isEmpty && lists.folders.flaws.isEmpty)
        }
    }

    @Test("is decided by the nearest list that says something")
    func nearest() {
        let rules = rules(["": "*.log\nx", "src": "!*.log\n/out", "src/app": "debug.log"])
        func verdict(_ path: String) -> IgnoreVerdict {
            rules.verdict(path: path.split(separator: "/").map(String.init), isFolder: false)
        }

        #expect(verdict("a.log").isIgnored)
        #expect(!verdict("src/a.log").isIgnored)
        #expect(!verdict("src/lib/a.log").isIgnored)
        #expect(verdict("src/app/debug.log").isIgnored)
        #expect(verdict("src/lib/x").isIgnored)
        #expect(verdict("src/out/a").isIgnored)
        #expect(!verdict("src/lib/out").isIgnored)
        #expect(verdict("srcs/a.log").isIgnored)
    }

    @Test("can be lifted, even from Basket's own list")
    func lifting() {
        let rules = rules(["": "!.DS_Store\n!*~", "a": "*~"])

        #expect(
            rules.verdict(path: [".DS_Store"], isFolder: false)
                == .kept(
                    IgnoreReason(
                        place: .folder([]), line: 1, pattern: "!.DS_Store", path: [".DS_Store"])))
        #expect(!rules.verdict(path: ["b", "x~"], isFolder: false).isIgnored)
        #expect(rules.verdict(path: ["a", "x~"], isFolder: false).isIgnored)
    }

    @Test("says which line of which list it was, and about which folder")
    func reasons() {
        let rules = rules(["src": "# made\nbuild/"])
        let verdict = rules.verdict(path: ["src", "lib", "build", "a", "b.o"], isFolder: false)
        let reason = IgnoreReason(
            place: .folder(["src"]), line: 2, pattern: "build/", path: ["src", "lib", "build"])

        #expect(verdict == .ignored(reason))
        #expect(
            reason.description == "'src/lib/build' by line 2 of src/.basketignore (build/)")
        guard case .ignored(let own) = rules.verdict(path: ["a~"], isFolder: false) else {
            Issue.record("a~ is kept")
            return
        }
        #expect(own.description.hasPrefix("'a~' by line "))
        #expect(own.description.hasSuffix(" of Basket's own list (*~)"))
    }

    @Test("changes with the list of a folder, whatever the case of its name where that is the same")
    func changedLists() {
        var rules = rules(["Src": "a"], .portable)
        #expect(rules.verdict(path: ["src", "A"], isFolder: false).isIgnored)

        rules.setList(IgnoreList(patterns: "b", caseRule: .portable), in: ["sRC"])
        #expect(!rules.verdict(path: ["src", "A"], isFolder: false).isIgnored)
        #expect(rules.verdict(path: ["src", "B"], isFolder: false).isIgnored)

        rules.setList(nil, in: ["SRC"])
        #expect(rules.verdict(path: ["src", "B"], isFolder: false) == .kept(nil))
    }

    @Test("is the same for a walker as for a whole path")
    func walking() {
        let rules = rules(["": "*.o\n/a/x", "a": "!b.o\ny/z"])
        for path in ["b.o", "a/b.o", "a/x", "a/y/z", "a/y/b.o", "a/y/c"] {
            let components = path.split(separator: "/").map(String.init)
            let walked = rules.folder(components.dropLast()).verdict(
                components[components.count - 1], isFolder: false)
            #expect(walked == rules.verdict(path: components, isFolder: false), "\(path)")
        }
        #expect(rules.verdict(path: [], isFolder: true) == .kept(nil))
    }

    @Test(
        "compares names by the key that domains use",
        arguments: ["a", "ÄB", "A\u{308}b", "Straße", "ΣΑΣ", "I\u{307}", "@[`{", "AZaz", "İ", "ﬁ"])
    func keys(name: String) {
        for rule in CaseRule.allCases {
            #expect(
                FoldedPath(["x", name], rule).bytes[2...].elementsEqual(rule.collisionKey(of: name))
            )
        }
    }
}
