import BasketSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// What an operator meets besides a server that runs.
    @Suite("The server's command")
    struct OperationTests {
        private static let commands = [
            [], ["serve"], ["account"], ["account", "list"], ["account", "add"],
            ["account", "password"], ["account", "change"], ["account", "remove"], ["domain"],
            ["domain", "list"], ["domain", "add"], ["domain", "change"],
            ["domain", "reset-anchors"], ["domain", "delete"], ["config"], ["check"], ["gc"],
            ["backup"], ["restore"], ["tls"], ["version"],
        ]

        @Test("teaches each command by an example, and its statuses", arguments: commands)
        func help(command: [String]) throws {
            let (ending, output, errors) = try ServerProgram.run(command + ["--help"])

            #expect(ending == .exit(0))
            #expect(output.hasPrefix("Example:\n  "))
            #expect(output.contains("\nExit status:\n  0 "))
            #expect(errors == "")
            let isLeaf = !output.contains("\nCommands:\n")
            #expect(!isLeaf || output.contains("  --json "))
        }

        @Test(
            "says what is wrong with a command line, and what was meant",
            arguments: [
                (["serv"], 2, "there is no command 'serv'.\n        Did you mean 'serve'?"),
                (["account", "lst"], 2, "Did you mean 'list'?"),
                (["serve", "--lisen", "x"], 2, "Did you mean '--listen'?"),
                (["serve", "--listen", "nowhere"], 2, "127.0.0.1:8080"),
                (["serve", "--config", "/nowhere"], 1, "Choose another file with --config."),
                (["serve", "--trusted-proxy", "me"], 2, "Write it like 10.0.0.0/8."),
                (["serve", "--reserve", "127MiB"], 2, "Leave at least 128MiB"),
                (["check", "--data", "/nowhere"], 1, "there is no basket.db in /nowhere."),
                (["serve", "--data", "/dev/null"], 1, "Choose another folder"),
            ] as [([String], Int32, String)])
        func refuses(words: [String], status: Int32, sentence: String) throws {
            let folder = try TemporaryFolder()
            let (ending, output, errors) = try ServerProgram.run(
                words, environment: ["BASKET_DATA": folder.path + "/data"])

            #expect(ending == .exit(status))
            #expect(output == "")
            #expect(errors.hasPrefix("basket-server: "))
            #expect(errors.contains(sentence), "\(errors)")
        }

        @Test("does not start a second server on the same data")
        func twoServers() throws {
            let server = try ServerProcess()
            defer { server.kill() }

            let (ending, _, errors) = try ServerProgram.run(
                ["serve", "--data", server.folder, "--listen", "127.0.0.1:0"])

            #expect(ending == .exit(1))
            #expect(
                errors.contains("process, \(server.process.number), is using the data folder"),
                "\(errors)")
        }

        @Test("keeps the first password for the start that can show it")
        func portInUse() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"

            let (ending, _, errors) = try ServerProgram.run(
                ["serve", "--data", data, "--listen", "127.0.0.1:\(server.port)"])
            #expect(ending == .exit(1))
            #expect(
                errors.contains(
                    """
                    cannot listen on 127.0.0.1:\(server.port): Address already in use.
                            Stop what listens there, or choose another port with --listen.
                    """), "\(errors)")

            // It logs in with the password that it sees.
            let second = try ServerProcess(folder: data)
            second.kill()
        }

        @Test("leaves data from a newer Basket alone", arguments: ["serve", "check", "backup"])
        func newerData(command: String) throws {
            let server = try ServerProcess()
            server.stop()
            // The file's own count of the steps of its schema, as SQLite keeps it.
            let file = open(server.folder + "/basket.db", O_WRONLY)
            defer { close(file) }
            let steps: [UInt8] = [0, 0, 3, 231]
            #expect(pwrite(file, steps, steps.count, 60) == steps.count)

            let more = command == "serve" ? ["--listen", "127.0.0.1:0"] : []
            let target = command == "backup" ? [server.folder + "-copy"] : []
            let (ending, _, errors) = try ServerProgram.run(
                [command, "--data", server.folder] + more + target)

            #expect(ending == .exit(1))
            #expect(errors.contains("from a newer Basket"), "\(errors)")
            #expect(errors.contains("Install the newer version"))
        }

        @Test("says which file is no database")
        func damagedData() throws {
            let folder = try TemporaryFolder()
            try folder.write("basket.db", String(repeating: "no database ", count: 100))

            let (ending, _, errors) = try ServerProgram.run(
                ["serve", "--data", folder.path, "--listen", "127.0.0.1:0"])

            #expect(ending == .exit(1))
            #expect(errors.contains("\(folder.path)/basket.db cannot be used"), "\(errors)")
            #expect(errors.contains("restore a backup"))
        }

        @Test("keeps its data from others, also in a folder that they may look into")
        func modes() throws {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            #expect(mkdir(data, 0o755) == 0)
            #expect(chmod(data, 0o755) == 0)
            let server = try ServerProcess(folder: data)
            defer { server.kill() }

            var facts = stat()
            #expect(stat(data + "/basket.db", &facts) == 0)
            #expect(facts.st_mode & 0o077 == 0)
        }

        @Test("speaks TLS where other machines reach it, and shows by which certificate")
        func certificate() throws {
            let folder = try TemporaryFolder()
            let process = try ChildProcess(
                ServerProgram.path,
                ["serve", "--json", "--data", folder.path, "--listen", "0.0.0.0:0"])
            defer {
                process.signal(SIGTERM)
                process.wait()
            }
            let line = try #require(process.output.line(with: "address"))
            let greeting = try JSON(Array(line.utf8))

            #expect(greeting["address"].string?.hasPrefix("https://0.0.0.0:") == true)
            #expect(greeting["account"] == "admin")
            #expect(greeting["password"].string?.count == 19)
            let tls = try ServerProgram.run(["tls", "--json", "--data", folder.path])
            let shown = try JSON(Array(tls.output.utf8))
            #expect(shown["fingerprint"].string?.count == 64)
            #expect(shown["fingerprint"] == greeting["fingerprint"])
        }

        @Test("says when its certificate is not for a name that was set since, and how to renew it")
        func otherName() throws {
            let folder = try TemporaryFolder()
            let start = { (name: String) in
                try ChildProcess(
                    ServerProgram.path,
                    [
                        "serve", "--data", folder.path, "--listen", "127.0.0.1:0", "--tls",
                        "always",
                        "--tls-name", name, "--tls-name", "10.1.2.3",
                    ])
            }
            let first = try start("nas.test")
            #expect(first.errors.line(with: " listens on ") != nil)
            first.signal(SIGTERM)
            #expect(first.wait() == .exit(0))
            #expect(!first.errors.text.contains("not for every"), "\(first.errors.text)")
            let tls = { (name: String) in
                try ServerProgram.run(
                    ["tls", "--data", folder.path, "--tls-name", name, "--json"])
            }
            let known = try tls("nas.test")
            #expect(known.errors == "")

            let second = try start("other.test")
            let warning = second.errors.line(with: "the certificate is not for every tls-name")
            #expect(warning?.contains("missing=other.test") == true, "\(warning ?? "nothing")")
            #expect(warning?.contains("remove \(folder.path)/tls") == true)
            #expect(second.errors.line(with: " listens on ") != nil)
            second.signal(SIGTERM)
            #expect(second.wait() == .exit(0))
            let other = try tls("other.test")
            #expect(other.ending == .exit(0) && other.output == known.output)
            #expect(other.errors.contains("not for ‘other.test’"), "\(other.errors)")
            #expect(other.errors.contains("remove \(folder.path)/tls"), "\(other.errors)")

            try FileManager.default.removeItem(atPath: folder.path + "/tls")
            let third = try start("other.test")
            #expect(third.errors.line(with: " listens on ") != nil)
            third.signal(SIGTERM)
            #expect(third.wait() == .exit(0))
            let renewed = try tls("other.test")
            #expect(renewed.errors == "" && renewed.output != known.output)
        }

        @Test("speaks plain HTTP to other machines only when told in so many words")
        func insecure() throws {
            let folder = try TemporaryFolder()
            let process = try ChildProcess(
                ServerProgram.path,
                ["serve", "--data", folder.path, "--listen", "0.0.0.0:0", "--insecure-http"])
            defer {
                process.signal(SIGTERM)
                process.wait()
            }

            let line = try #require(process.errors.line(with: " listens on "))
            #expect(line.contains(" http://0.0.0.0:"), "\(line)")
            #expect(process.errors.line(with: "serving other machines without TLS") != nil)
        }

        @Test(
            "lets an inherited socket's own address decide about TLS",
            arguments: [("127.0.0.1", "http"), ("0.0.0.0", "https")])
        func inheritedSocket(host: String, scheme: String) throws {
            let folder = try TemporaryFolder()
            let socket = try Self.listeningSocket(host)
            defer { close(socket) }
            let process = try ChildProcess(
                "/bin/bash",
                [
                    "-c", "exec 3<&\(socket); export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$@\"", "-",
                    ServerProgram.path, "serve", "--data", folder.path,
                ])
            defer {
                process.signal(SIGTERM)
                process.wait()
            }

            let line = try #require(process.errors.line(with: " listens on "))
            #expect(line.contains(" \(scheme)://\(host):"), "\(line)")
        }

        /// Inherited by whatever is started meanwhile, which does no harm.
        private static func listeningSocket(_ host: String) throws -> CInt {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr(host)
            let failure = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard failure == 0, listen(descriptor, 16) == 0 else {
                close(descriptor)
                throw Failure("no socket: \(errno)")
            }
            return descriptor
        }

        @Test("copies a running server's tree, and gives it back in another folder")
        func backup() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let photo = [UInt8](repeating: 9, count: 200_000)
            let id = try caller.putFile("photo.jpg", photo, of: "Work")
            let folder = try TemporaryFolder()
            let (copy, new) = (folder.path + "/copy", folder.path + "/new")

            let backup = try ServerProgram.run(["backup", copy, "--data", server.folder])
            #expect(backup.ending == .exit(0))
            #expect(backup.output.hasPrefix("\(copy): 1 domain, "), "\(backup.output)")
            let restore = try ServerProgram.run(["restore", copy, "--data", new])
            #expect(restore.ending == .exit(0))
            #expect(
                restore.output
                    == "\(new): restored\nnothing is wrong; contents were not read, as --deep does\n"
            )
            let again = try ServerProgram.run(["restore", copy, "--data", new])
            #expect(again.ending == .exit(1))
            #expect(again.errors.contains("is not empty"), "\(again.errors)")

            let process = try ChildProcess(
                ServerProgram.path, ["serve", "--json", "--data", new, "--listen", "127.0.0.1:0"])
            defer {
                process.signal(SIGTERM)
                process.wait()
            }
            let line = try #require(process.output.line(with: "address"))
            let address = try JSON(Array(line.utf8))["address"].string ?? ""
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            let other = Caller(port: port, token: server.token)
            #expect(try other.get("/v1/domains/Work/items/\(id)/content").body == photo)
        }

        @Test(
            "makes no backup in the data folder itself, by whatever path",
            arguments: ["data/sub", "data", "data/./new/../new", "link/sub", "new/../data/sub"])
        func backupInside(path: String) throws {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            let server = try ServerProcess(folder: data)
            server.stop()
            #expect(symlink(data, folder.path + "/link") == 0)
            let before = try Self.names(in: data)

            let (ending, output, errors) = try ServerProgram.run(
                ["backup", folder.path + "/" + path, "--data", data])

            #expect(ending == .exit(2))
            #expect(output == "")
            #expect(errors.contains("lies in the data folder \(data)"), "\(errors)")
            #expect(try Self.names(in: data) == before)
            let beside = try ServerProgram.run(["backup", data + "-copy", "--data", data])
            #expect(beside.ending == .exit(0), "\(beside.errors)")
        }

        private static func names(in folder: String) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder))
                .subtracting(["basket.db-wal", "basket.db-shm"])
        }

        @Test("refuses a change that changes nothing", arguments: ["account", "domain"])
        func emptyChange(of what: String) throws {
            let server = try ServerProcess()
            defer { server.kill() }

            let (ending, _, errors) = try ServerProgram.run(
                [what, "change", "admin", "--data", server.folder])

            #expect(ending == .exit(2))
            #expect(errors.contains("nothing was said to change"))
        }
    }
}
