import BasketSupport
import FileProviderRules
import Glibc
import Testing

#if DEBUG
    private let isOptimised = false
#else
    private let isOptimised = true
#endif

/// Time of this thread alone, so that a busy machine changes little.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

@Suite("Ignoring, in a release build", .enabled(if: isOptimised, "needs swift test -c release"))
struct IgnoreSpeedTests {
    /// As projects have them: names, endings, paths, several stars, brackets.
    private static let patterns = """
        node_modules/
        target/
        build/
        dist/
        .cache/
        __pycache__/
        .venv/
        .idea/
        .vscode/*
        !.vscode/settings.json
        *.o
        *.obj
        *.pyc
        *.class
        *.jar
        *.log
        *.tmp
        *.swp
        *.bak
        *.orig
        *.rej
        *.pid
        *.lock
        *.tar.gz
        *.iso
        *.dmg
        *.[oa]
        *.py[cod]
        *.s[ac]
        core.[0-9]*
        test-*-output-*.txt
        *backup*
        *~copy*
        log-????-??-??.txt
        /config.local
        /secrets/
        docs/_build/
        docs/**/*.html
        src/generated/**
        **/fixtures/*.bin
        **/tmp/**
        a/**/z
        Makefile.in
        autom4te.cache
        *.egg-info/
        npm-debug.log*
        yarn-error.log
        .env
        .env.*
        !.env.example
        """

    private static let stems = [
        "report", "IMG_2041", "Letter to Ann", "invoice-2026-11", "main", "index", "Übersicht",
        "notes", "a", "the quick brown fox jumps over the lazy dog", ".profile", "config",
    ]
    private static let suffixes = [
        ".pdf", ".jpg", ".txt", ".odt", ".swift", ".md", ".py", ".c", "", ".docx", ".html", ".o",
    ]

    /// A million names take less than a second; on a machine whose other core works, its caches and clock are shared.
    private static let mostSeconds = 4.0

    @Test(
        "judges a million names in seconds, 50 lines and Basket's own",
        arguments: CaseRule.allCases)
    func names(rule: CaseRule) {
        var rules = IgnoreRules(caseRule: rule)
        let list = IgnoreList(patterns: Self.patterns, caseRule: rule)
        #expect(list.flaws.isEmpty)
        rules.setList(list, in: [])
        let names = (0..<144).map { Self.stems[$0 % 12] + Self.suffixes[$0 / 12] }

        for folder in [[], ["Documents", "2026"]] {
            let place = rules.folder(folder)
            let start = processorSeconds()
            var ignored = 0
            for index in 0..<1_000_000
            where place.verdict(names[index % 144], isFolder: false).isIgnored {
                ignored += 1
            }
            let seconds = processorSeconds() - start
            print("\(rule), \(folder.count) folders deep: \(seconds) s for 1,000,000 names")
            #expect(ignored > 50_000)
            #expect(seconds < Self.mostSeconds)
        }
    }
}
