import BasketSupport

/// Command lines: a value comes through as it was typed, and what is understood can be typed again.
enum CommandLineFuzzer: Fuzzer {
    static let name = "command-line"

    private static let command = Command(
        "program", summary: "Does things.", examples: [],
        options: [
            CommandOption("json", help: "Print JSON."),
            CommandOption("trash", help: "Have a trash.", isNegatable: true),
        ],
        commands: [
            Command(
                "add", summary: "Adds.", examples: [],
                options: [
                    CommandOption("name", short: "n", placeholder: "NAME", help: "The name."),
                    CommandOption("tag", placeholder: "TAG", help: "A tag.", isRepeatable: true),
                ],
                arguments: [
                    CommandArgument("FILE", help: "A file."),
                    CommandArgument("MORE", help: "More of them.", count: .any),
                ]
            ) { _, _ in .success }
        ])

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let words = lines.map { String(decoding: $0, as: UTF8.self) }
        if let typed = understood(words) {
            let again = typed.options.map { name, text in
                switch (name, text) {
                case ("json", _): "--json"
                case ("trash", "no"): "--no-trash"
                default: "--\(name)=\(text)"
                }
            }
            try check(["add"] + again + ["--"] + files(typed), is: typed)
        }
        let word = words[0]
        guard let typed = understood(["add", "--name=\(word)", "--", word, word]),
            typed.options.count == 1, isSame([typed.value("name") ?? ""], [word]),
            isSame(files(typed), [word, word])
        else { throw FuzzFinding("'\(word)' does not come through") }
    }

    private static func check(_ words: [String], is typed: Invocation) throws(FuzzFinding) {
        guard let again = understood(words),
            isSame(again.options.map(\.name), typed.options.map(\.name)),
            isSame(again.options.map(\.text), typed.options.map(\.text)),
            isSame(files(again), files(typed))
        else { throw FuzzFinding("\(words) are something else when they are typed again") }
    }

    private static func understood(_ words: [String]) -> Invocation? {
        // What is refused is told in words, and is no finding.
        guard case .call(_, let invocation)? = try? command.parse(words) else { return nil }
        return invocation
    }

    private static func files(_ invocation: Invocation) -> [String] {
        invocation.arguments("FILE") + invocation.arguments("MORE")
    }

    /// By bytes: strings are equal also when they only look the same.
    private static func isSame(_ left: [String], _ right: [String]) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
