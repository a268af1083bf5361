import BasketSupport
import Glibc

/// A program of ours, as it was built beside the tests.
enum BuiltProgram {
    /// - Parameter variable: of the environment, which may name another one.
    static func path(of name: String, variable: String) -> String {
        if let given = ProcessEnvironment.variables()[variable] { return given }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
        let own = String(decoding: bytes, as: UTF8.self)
        // The tests' runner may be the toolchain's, which is told of the tests by an argument.
        for candidate in [own] + CommandLine.arguments {
            guard let end = candidate.lastIndex(of: "/") else { continue }
            let program = candidate[..<end] + "/" + name
            if access(String(program), X_OK) == 0 { return String(program) }
        }
        return ".build/debug/" + name
    }
}
