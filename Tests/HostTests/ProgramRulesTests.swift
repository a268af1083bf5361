import Testing

@testable import FileProviderHost

@Suite("Programs for which nothing is brought here")
struct ProgramRulesTests {
    @Test(
        "are those that look into every file, as far as the kernel keeps their names",
        arguments: [
            "tracker-miner-fs-3", "tracker-miner-f", "tracker-extract", "localsearch-3",
            "baloo_file", "baloo_file_extr", "updatedb", "updatedb.plocat", "clamscan", "clamd",
            "tumblerd",
        ])
    func usual(name: String) {
        #expect(ProgramRules.usual.contains(Program(name: name)))
    }

    @Test("are also those that run in one of their units, whatever they are called")
    func units() {
        let rules = ProgramRules.usual
        #expect(rules.contains(Program(name: "sh", unit: "plocate-updatedb.service")))
        #expect(!rules.contains(Program(name: "sh", unit: "cron.service")))
        #expect(!rules.contains(Program(name: "sh")))
    }

    @Test(
        "are not those that a person works with", arguments: ["editor", "cp", "", "baloo", "clam"])
    func others(name: String) {
        #expect(!ProgramRules.usual.contains(Program(name: name)))
    }

    @Test("are none that a person has work with files, also in such a unit")
    func allowed() {
        var choices = PersonalChoices()
        choices.programsWithoutDownloads = ["backup", "clamscan"]
        choices.unitsWithoutDownloads = ["own.service"]
        choices.programsWithDownloads = ["clamscan", "sh"]
        let rules = choices.rules(over: .usual)
        #expect(rules.contains(Program(name: "backup")))
        #expect(rules.contains(Program(name: "tumblerd")))
        #expect(rules.contains(Program(name: "cat", unit: "own.service")))
        #expect(!rules.contains(Program(name: "clamscan")))
        #expect(!rules.contains(Program(name: "sh", unit: "own.service")))
    }

    @Test("are also those that somebody adds, by name or by unit")
    func added() {
        var rules = ProgramRules.usual
        rules.add(name: "a-very-long-name-of-an-indexer")
        rules.add(unit: "own.service")
        #expect(rules.contains(Program(name: "a-very-long-nam")))
        #expect(!rules.contains(Program(name: "a-very-long-na")))
        #expect(rules.contains(Program(name: "sh", unit: "own.service")))
    }
}
