import Glibc

/// Reads what may come through a pipe as well as lie in a file: a configuration that another program
/// deciphers, as in `--config <(…)`.
package enum Pipe {
    /// Everything up to the end; waits for a pipe's writer.
    package static func contents(of path: String, upTo limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let got = read(descriptor, &piece, piece.count)
            if got == 0 { return all }
            if got < 0 {
                guard errno == EINTR else { throw FileError("read", path, code: errno) }
                continue
            }
            all += piece[..<got]
            guard all.count <= limit else { throw FileError("read", path, code: EFBIG) }
        }
    }
}
