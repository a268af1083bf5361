/// A laptop with a folder of a server's domain, at whose terminal somebody sits.
enum CommandScene {
    /// - Parameter body: also takes what runs a command that has to go well, and returns what that says, line by line.
    static func play(
        _ body: (ServerProcess, Laptop, String, _ lines: ([String]) throws -> [JSON]) throws -> Void
    ) throws {
        let server = try ServerProcess()
        defer { server.kill() }
        let laptop = try Laptop()
        let folder = try laptop.connect("Work", to: server)
        try body(server, laptop, folder) { words in
            let (ending, output, errors) = try laptop.basket(words + ["--json"])
            guard ending == .exit(0) else { throw Failure("\(words): \(errors)") }
            return try output.split(separator: "\n").map { try JSON(Array($0.utf8)) }
        }
    }
}
