import BasketSupport
import Synchronization
import Testing

private let table = SettingTable([
    Setting("listen", default: SocketAddress.loopback(port: 8080), help: "Where to listen."),
    Setting("trash", default: true, help: "Whether what is deleted can be brought back."),
    Setting("trusted-proxy", default: [String](), help: "A proxy whose headers are believed."),
])

private let serve = Command(
    "serve", summary: "Runs the server.",
    details: "It stays in the foreground.\n\nCtrl-C ends it.",
    examples: [.init("store serve --listen 127.0.0.1:8080", "Listens on this machine alone.")],
    options: table.options,
    body: { invocation, console in
        console.print("\(invocation.flags(of: table).map { "\($0.name)=\($0.text)" })")
        return .success
    })

private let add = Command(
    "add", summary: "Adds an account.", examples: [.init("store account add ann", "Adds Ann.")],
    options: [CommandOption("admin", short: "a", help: "Make it an administrator.")],
    arguments: [
        CommandArgument("NAME", help: "Its name."),
        CommandArgument("DISPLAY", help: "Its name for people.", count: .optional),
    ],
    body: { invocation, console in
        console.print(
            "\(invocation.path) \(invocation.argument("NAME") ?? "") "
                + "\(invocation.argument("DISPLAY") ?? "-") \(invocation.has("admin"))")
        return .success
    })

private let fail = Command(
    "fail", summary: "Fails.", examples: [],
    arguments: [CommandArgument("FILE", help: "Files.", count: .any)],
    body: { invocation, _ in throw Trouble(files: invocation.arguments("FILE")) })

private struct Trouble: ReportableError {
    let files: [String]
    let code = "trouble"
    var message: String { "can't read \(files).\nTry others." }
    let exitCode = ExitCode.conflict
}

private let program = Command(
    "store", summary: "Keeps things.", examples: [.init("store serve", "Runs it.")],
    options: [CommandOption("json", help: "Answer in JSON.")],
    commands: [
        serve, fail,
        Command(
            "account", summary: "Accounts.",
            examples: [.init("store account add ann", "Adds Ann.")],
            commands: [add]),
    ])

/// What a command line prints, says and ends with.
private func run(_ line: String) async -> (output: String, talk: String, code: ExitCode) {
    let recorder = Recorder()
    let code = await program.run(
        line.split(separator: " ").map(String.init), console: recorder.console)
    return (recorder.output, recorder.talk, code)
}

private final class Recorder: Sendable {
    private let texts = Mutex((output: [UInt8](), talk: [UInt8]()))

    var console: Console {
        Console(
            output: { bytes in self.texts.withLock { $0.output += bytes } },
            error: { bytes in self.texts.withLock { $0.talk += bytes } })
    }
    var output: String { texts.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var talk: String { texts.withLock { String(decoding: $0.talk, as: UTF8.self) } }
}

@Suite("A command line")
struct CommandTests {
    @Test(
        "reaches the command with its options and arguments",
        arguments: [
            ("account add ann", #"["store", "account", "add"] ann - false"#),
            ("account add ann Ann --admin", #"["store", "account", "add"] ann Ann true"#),
            ("--json account add -a ann", #"["store", "account", "add"] ann - true"#),
            ("account add -- --ann", #"["store", "account", "add"] --ann - false"#),
            ("account add -", #"["store", "account", "add"] - - false"#),
            ("serve --listen=127.0.0.1:1", #"["listen=127.0.0.1:1"]"#),
            ("serve --listen 127.0.0.1:1 --no-trash", #"["listen=127.0.0.1:1", "trash=no"]"#),
            ("serve --trash=off", #"["trash=no"]"#),
            (
                "serve --trusted-proxy a --trusted-proxy b",
                #"["trusted-proxy=a", "trusted-proxy=b"]"#
            ),
        ])
    func reaches(line: String, printed: String) async {
        let (output, talk, code) = await run(line)
        #expect(output == printed + "\n")
        #expect(talk == "")
        #expect(code == .success)
    }

    @Test(
        "is refused in words, with status 2",
        arguments: [
            ("", "a command is missing.|There are serve, fail, account. See: store --help"),
            ("sevre", "there is no command 'sevre'.|Did you mean 'serve'?"),
            ("dance", "there is no command 'dance'.|See: store --help"),
            ("serve --lisen x", "there is no option '--lisen'.|Did you mean '--listen'?"),
            ("serve -x", "there is no option '-x'.|See: store serve --help"),
            ("serve --listen", "'--listen' needs a value.|Write --listen=ADDR:PORT."),
            ("serve --json=1", "'--json' takes no value.|Write --json alone."),
            ("serve --no-trash=1", "'--no-trash' takes no value.|Write --no-trash alone."),
            ("serve --trash=maybe", "'--trash' takes no value.|Write --trash alone."),
            ("serve --no-json", "there is no option '--no-json'.|See: store serve --help"),
            ("serve --listen a --listen b", "'--listen' was given twice.|Remove one of the two."),
            ("account add", "NAME is missing.|See: store account add --help"),
            ("account add a b c", "'c' is one word too many.|See: store account add --help"),
        ])
    func refuses(line: String, message: String) async {
        let (output, talk, code) = await run(line)
        #expect(talk == "store: " + message.replacing("|", with: "\n        ") + "\n")
        #expect(output == "")
        #expect(code == .usage)
    }

    @Test("ends with the error's own status and sentence")
    func errors() async {
        let (_, talk, code) = await run("fail a b")
        #expect(talk == "store: can't read [\"a\", \"b\"].\n        Try others.\n")
        #expect(code == .conflict)
    }

    @Test("ends well, and says nothing, once nobody reads the many results that it has")
    func unheard() async {
        let recorder = Recorder()
        let listing = Command("list", summary: "Lists.", examples: []) { _, console in
            for number in 1...1000 {
                recorder.console.say("\(number)")
                try console.list("\(number)")
            }
            return .failure
        }
        let console = Console(
            output: { _ throws(Console.Unheard) in
                if recorder.talk == "1\n2\n3\n" { throw Console.Unheard() }
            }, error: { _ in recorder.console.say("an error") })
        #expect(await listing.run([], console: console) == .success)
        #expect(recorder.talk == "1\n2\n3\n")
    }

    @Test("shows nothing of an error that a terminal would obey, and keeps its lines")
    func hostileErrors() {
        let recorder = Recorder()
        let failure = CommandFailure("x", "no ‘\u{1B}[2Ja’.\nLook\u{9B}.")
        recorder.console.report(failure, program: "store", asJSON: false)
        #expect(recorder.talk == "store: no ‘\\u{1B}[2Ja’.\n        Look\\u{9B}.\n")
    }

    @Test("wants one at least of an argument that comes many times")
    func manyArguments() async {
        func run(_ words: [String]) async -> (String, ExitCode) {
            let recorder = Recorder()
            let code = await SampleProgram.command.run(words, console: recorder.console)
            return (recorder.output, code)
        }
        #expect(await run(["put", "a", "b"]) == ("[\"a\", \"b\"]\n", .success))
        #expect(await run(["put"]).1 == .usage)
    }

    @Test("tells a program what went wrong in one line of JSON")
    func jsonErrors() async {
        let (_, talk, _) = await run("--json fail")
        #expect(talk == #"{"code":"trouble","message":"can't read [].\nTry others."}"# + "\n")
    }

    @Test("teaches with an example first", arguments: ["serve --help", "serve -h x --lisen"])
    func help(line: String) async {
        let (output, talk, code) = await run(line)
        #expect(
            output == """
                Example:
                  store serve --listen 127.0.0.1:8080
                      Listens on this machine alone.

                store serve: Runs the server.

                It stays in the foreground.

                Ctrl-C ends it.

                Usage: store serve [OPTIONS]

                Options:
                  --listen ADDR:PORT        Where to listen. (default 127.0.0.1:8080; BASKET_LISTEN)
                  --[no-]trash              Whether what is deleted can be brought back. (default yes;
                                            BASKET_TRASH)
                  --trusted-proxy TEXT      A proxy whose headers are believed. (BASKET_TRUSTED_PROXY)
                  --json                    Answer in JSON.
                  -h, --help                Print this text.

                Exit status:
                  0                         Done.
                  1                         It failed; the message says why.
                  2                         The command line or a setting was not understood.

                """)
        #expect(talk == "")
        #expect(code == .success)
    }

    @Test("lists the commands of a command")
    func commands() async {
        let (output, _, _) = await run("--help")
        #expect(output.contains("Usage: store [OPTIONS] COMMAND\n"))
        #expect(output.contains("  account                   Accounts.\n"))
    }
}
