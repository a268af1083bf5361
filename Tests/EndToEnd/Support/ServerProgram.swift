import BasketSupport
import Glibc

/// The server's command, as it was built beside the tests.
enum ServerProgram {
    static let path: String = {
        if let given = ProcessEnvironment.variables()["BASKET_SERVER_PROGRAM"] { return given }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        let own = String(decoding: bytes, as: UTF8.self)
        // The tests' runner may be the toolchain's, which is told of the tests by an argument.
        for candidate in [own] + CommandLine.arguments {
            guard let end = candidate.lastIndex(of: "/") else { continue }
            let program = candidate[..<end] + "/basket-server"
            if access(String(program), X_OK) == 0 { return String(program) }
        }
        return ".build/debug/basket-server"
    }()

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> (ending: ChildProcess.Ending?, output: String, errors: String) {
        let process = try ChildProcess(path, arguments, environment: environment, input: input)
        let ending = process.wait()
        return (ending, process.output.text, process.errors.text)
    }

    /// Whether it has a command of this name yet.
    static func has(_ command: String) throws -> Bool {
        try run([command, "--help"]).ending == .exit(0)
    }
}
