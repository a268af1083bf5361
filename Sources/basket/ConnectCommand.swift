import BasketConnection
import BasketContent
import BasketModels
import BasketProvider
import BasketSupport
import FileProviderDaemon
import Glibc

/// `basket connect`
enum ConnectCommand {
    static let command = Command(
        "connect", summary: "Log in to a server, and see one of its domains in a folder.",
        details: """
            The server is an address, or no more than the name of its machine. Should its certificate be one of its \
            own, you are shown its fingerprint; ‘basket-server tls’ on the server says the same one. A domain of \
            that name is made where there is none. Of a domain that is connected already, this renews the log-in. \
            A name that another server's domain has here needs another one: --as. \
            The log-in is kept in the desktop's keyring where there is one that is unlocked, else in a file that only \
            you can read. What is in a keyring can be used once you have logged in to the desktop: for a machine \
            that starts without that, add --no-keyring. \
            Where no server is named, those are looked for that are nearby.
            """,
        examples: [
            Command.Example(
                "basket connect Work --server nas.local", "In ~/Basket/Work from then on."),
            Command.Example(
                "basket connect Work", "At the server that this network has, if it is that one."),
            Command.Example(
                "basket connect Work --server https://files.example.org --account ann --password-stdin <secret",
                "In a script."),
        ],
        options: [
            CommandOption(
                "server", placeholder: "ADDRESS", help: "The server's address, or its name."),
            CommandOption(
                "as", placeholder: "NAME", help: "What the domain is called here.",
                note: "default as on the server"),
            CommandOption("account", placeholder: "NAME", help: "Your account there."),
            CommandOption("password-stdin", help: "Take the password from standard input."),
            CommandOption(
                "certificate", placeholder: "SHA256",
                help: "Trust the server's certificate with this fingerprint, and no other."),
            CommandOption(
                "device", placeholder: "NAME", help: "What this device is called.",
                note: "default its host name"),
            CommandOption(
                "no-keyring", help: "Keep the log-in in a file, and not in the desktop's keyring."),
            CommandOption(
                "unix-socket", placeholder: "PATH",
                help: "Reach a server on this machine through it."),
            CommandOption(
                "insecure-http", help: "Let everybody on the way read along, the password too."),
            Options.json,
        ],
        arguments: [CommandArgument("DOMAIN", help: "Its name, here and on the server.")],
        exits: [.notFound, .conflict, .unreachable, .forbidden], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let world = World.live(log: .silent)
        let name = invocation.argument("DOMAIN") ?? ""
        let localName = invocation.value("as") ?? name
        let wanted = try await WantedServer(invocation, localName, reach, world)
        let (endpoint, server) = try await wanted.find(console, world)
        let known = try await holder(of: localName, for: name, endpoint, reach)
        let joining = DomainJoining(
            endpoint, server: server, isInsecure: wanted.allowsInsecureHTTP,
            keyring: DesktopKeyring.own(world.files), world: world)
        let device = invocation.value("device") ?? world.machine
        let (account, password) = try Self.logIn(invocation, endpoint)
        let credentials = try await Self.translating(endpoint) {
            () throws(ConnectionError) in
            try await joining.logIn(account: account, password: password, device: device)
        }
        do {
            let file =
                known?.info?[DomainSettings.Key.credentials.rawValue]
                ?? reach.places.credentials + "/\(Self.fileName(name, endpoint)).json"
            let joined = try await Self.translating(endpoint) { () throws(ConnectionError) in
                try await joining.join(
                    known?.domain ?? name, as: credentials, device: device, mayMake: known == nil,
                    keptIn: file)
            }
            let isMeant = known == nil || invocation.value("as") == nil || joined.isCalled(name)
            guard isMeant else {
                throw CommandFailure(
                    taken: localName, by: "‘\(Words.shown(joined.name))’ of this server", for: name)
            }
            let replaced = try await joining.keep(
                credentials, of: account, in: file, mayUseKeyring: !invocation.has("no-keyring"))
            let state: HostedDomainState
            do {
                let nameHere = try await Self.nameHere(of: joined, invocation, reach)
                state = try await reach.add(joined, as: nameHere)
            } catch {
                // Where that fails, too, the first reason says more.
                try? await joining.putBack(replaced, in: file)
                throw error
            }
            await joining.settle(replaced, in: file)
            // Who was not let in any more does not wait until it tries again by itself.
            await reach.lookAgain(state)
            report(state, name, joined, endpoint, invocation, console)
        } catch {
            await joining.logOut(credentials)
            throw error
        }
        return .success
    }

    /// The domain that has the name here already: whatever the server calls it, it is its log-in that is renewed.
    /// - Throws: where it is another server's, before anything is made on this one: two domains cannot have one folder.
    private static func holder(
        of localName: String, for name: String, _ endpoint: ServerEndpoint, _ reach: DaemonReach
    ) async throws -> HostedDomainState? {
        try await reach.requireDaemon()
        let holder = try await reach.domains().first { $0.isCalled(localName) }
        guard let holder, let address = holder.info?[DomainSettings.Key.server.rawValue]
        else { return nil }
        guard address == endpoint.url else {
            throw CommandFailure(
                taken: localName, by: "a domain of \(Words.shown(address))", for: name)
        }
        return holder
    }

    /// What it is called here: as before, unless somebody says otherwise.
    private static func nameHere(
        of joined: DomainJoining.Joined, _ invocation: Invocation, _ reach: DaemonReach
    ) async throws -> String {
        if let name = invocation.value("as") { return name }
        let known = try await reach.domains().first { $0.domain == joined.identifier }
        return known?.name ?? joined.name
    }

    private static func report(
        _ state: HostedDomainState, _ name: String, _ joined: DomainJoining.Joined,
        _ endpoint: ServerEndpoint, _ invocation: Invocation, _ console: Console
    ) {
        guard !invocation.has("json") else { return console.print(JSONText.line(state)) }
        if joined.isNew {
            console.say("\(endpoint.url) had no domain ‘\(Words.shown(name))’: it was made.")
        }
        console.print(state.folder ?? state.name)
    }

    // MARK: Who asks

    private static func logIn(
        _ invocation: Invocation, _ endpoint: ServerEndpoint
    ) throws -> (account: String, password: String) {
        let isPiped = invocation.has("password-stdin")
        let piped = isPiped ? Terminal.line(from: STDIN_FILENO) : nil
        if isPiped, piped?.isEmpty ?? true {
            throw CommandFailure(
                "no_password", "standard input brings no password.", exitCode: .usage)
        }
        guard
            let account = invocation.value("account")
                ?? Terminal()?.ask("Account at \(endpoint.url): ")
        else {
            throw CommandFailure(
                "no_account",
                "nobody is there to be asked for the account.\nName it: --account NAME",
                exitCode: .usage)
        }
        guard
            let password = piped
                ?? Terminal()?.ask("Password of \(account): ", isSecret: true)
        else {
            throw CommandFailure(
                "no_password",
                "nobody is there to be asked for the password.\nSend it to standard input, with --password-stdin.",
                exitCode: .usage)
        }
        return (account, password)
    }

    /// Nobody else's, and the same again.
    private static func fileName(_ name: String, _ endpoint: ServerEndpoint) -> String {
        let hash = ContentHash(of: Array("\(endpoint.url)\n\(name)".utf8))
        return String(hash.hex.prefix(32))
    }

    static func translating<Value>(
        _ endpoint: ServerEndpoint, _ body: () async throws(ConnectionError) -> Value
    ) async throws -> Value {
        do throws(ConnectionError) {
            return try await body()
        } catch {
            throw CommandFailure(error, at: endpoint.url)
        }
    }
}

extension CommandFailure {
    /// - Parameter holder: who has the name here.
    fileprivate init(taken localName: String, by holder: String, for name: String) {
        self.init(
            "name_taken",
            """
            ‘\(Words.shown(localName))’ is \(holder) here.
            Give this one another name: basket connect \(Words.shown(name)) --as NAME
            """, exitCode: .conflict)
    }
}
