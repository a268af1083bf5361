import BasketSupport
import FileProviderDaemon
import FileProviderHost
import Foundation
import Testing

@Suite("What a person has set for their domains")
struct PersonalSettingsTests {
    private static func with(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try body(file)
    }

    @Test("is what the file says, and the environment outweighs that")
    func values() throws {
        try Self.with(
            """
            # A comment.
            cache-most = 20GiB
            cache-unused = 30d
            no-downloads-for = one, two
            no-downloads-for = three
            downloads-for = clamscan
            """
        ) { file in
            var choices = PersonalChoices()
            choices.limits.most = 20 << 30
            choices.limits.longestUnused = .seconds(30 * 86_400)
            choices.programsWithoutDownloads = ["one", "two", "three"]
            choices.programsWithDownloads = ["clamscan"]
            let set = try PersonalSettings.choices(at: file, [:])
            #expect(set == choices)
            choices.limits.most = 1 << 20
            choices.unitsWithoutDownloads = ["own.service"]
            let environment = [
                "BASKET_CACHE_MOST": "1MiB", "BASKET_NO_DOWNLOADS_FOR_UNIT": "own.service",
                "BASKET_FOLDER": "/elsewhere",
            ]
            let outweighed = try PersonalSettings.choices(at: file, environment)
            #expect(outweighed == choices)
        }
    }

    @Test("is nothing where there is no file")
    func none() throws {
        #expect(try PersonalSettings.choices(at: "/nowhere/at-all", [:]) == PersonalChoices())
    }

    @Test("is told with its line where it makes no sense, and once in a log")
    func mistaken() throws {
        for text in ["cache-most = many", "cache-mots = 1GiB", "cache-most 1GiB"] {
            try Self.with("\n" + text) { file in
                let error = #expect(throws: ConfigurationError.self) {
                    try PersonalSettings.choices(at: file, [:])
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains("\(file):2"))
            }
        }
    }
}
