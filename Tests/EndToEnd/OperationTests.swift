import BasketSupport
import Glibc
import Testing

extension EndToEnd {
    /// What an operator meets besides a server that runs.
    @Suite("The server's command")
    struct OperationTests {
        @Test("keeps the first password for the start that can show it")
        func portInUse() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"

            let (ending, _, errors) = try ServerProgram.run(
                ["serve", "--data", data, "--listen", "127.0.0.1:\(server.port)"])
            #expect(ending == .exit(1))
            #expect(errors.contains("Address already in use"), "\(errors)")

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
    }
}
