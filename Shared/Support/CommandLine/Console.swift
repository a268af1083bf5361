import Glibc

/// Where a command speaks: results go to standard output, talk to standard error.
package struct Console: Sendable {
    /// Nobody reads the results any more.
    package struct Unheard: Error {
        package init() {}
    }

    private let output: @Sendable ([UInt8]) throws(Unheard) -> Void
    private let error: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - output: takes results.
    ///   - error: takes what is said about them.
    package init(
        output: @escaping @Sendable ([UInt8]) throws(Unheard) -> Void,
        error: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.output = output
        self.error = error
    }

    /// The process's own standard output and error.
    package static let live = Console(
        output: { bytes throws(Unheard) in
            guard writeAll(bytes, to: STDOUT_FILENO) else { throw Unheard() }
        }, error: { _ = writeAll($0, to: STDERR_FILENO) })

    /// A result, on a line of its own.
    package func print(_ text: String) {
        // Whoever does something for more than its result does it to the end.
        try? list(text)
    }

    /// One result of many, on a line of its own.
    /// - Throws: where nobody reads it, and there is no use in the others: as behind `| head`.
    package func list(_ text: String) throws(Unheard) {
        try output(Array((text + "\n").utf8))
    }

    /// Something about the result, for whoever watches.
    package func say(_ text: String) {
        error(Array((text + "\n").utf8))
    }

    /// Something for whoever watches that stays in its line.
    package func write(_ text: String) {
        error(Array(text.utf8))
    }

    /// The one place where a failure becomes words: `program: sentence`, further lines indented,
    /// or one JSON object on a line.
    package func report(_ failure: any ReportableError, program: String, asJSON: Bool) {
        guard !asJSON else {
            var line = Array("{\"code\":".utf8)
            line.appendJSON(failure.code)
            line += Array(",\"message\":".utf8)
            line.appendJSON(failure.message)
            error(line + Array("}\n".utf8))
            return
        }
        let message = ShownText.escapedLines(failure.message)
        say("\(program): " + message.replacing("\n", with: "\n        "))
    }
}

/// Writes everything, or as much as the other end takes.
/// - Returns: whether there is somebody at the other end.
func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    bytes.withUnsafeBytes { buffer in
        var done = 0
        while done < buffer.count {
            let put = write(descriptor, buffer.baseAddress! + done, buffer.count - done)
            if put > 0 {
                done += put
            } else if errno == EAGAIN {
                // A terminal may be set not to block, by whoever shares it.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return errno != EPIPE
            }
        }
        return true
    }
}
