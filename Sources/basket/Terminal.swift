import BasketSupport
import Glibc

/// The person at the terminal, where there is one, whatever standard input and output are.
struct Terminal {
    private let raw: Int32

    /// Nil where nobody sits there.
    init?() {
        raw = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard raw >= 0 else { return nil }
    }

    /// Asks, and returns the line that was typed; nil at the end.
    /// - Parameter isSecret: whether it is not shown.
    func ask(_ question: String, isSecret: Bool = false) -> String? {
        defer { close(raw) }
        var before = termios()
        let hides = isSecret && tcgetattr(raw, &before) == 0
        if hides {
            var hidden = before
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(raw, TCSAFLUSH, &hidden)
            let shown = before
            // Whoever gives up here sees what is typed afterwards.
            SignalSource.beforeTheEnd { [raw] in
                var shown = shown
                tcsetattr(raw, TCSAFLUSH, &shown)
            }
        }
        // Whoever sees the question may answer it at once: nothing of that is shown, or thrown away.
        write(question)
        defer {
            if hides {
                tcsetattr(raw, TCSAFLUSH, &before)
                SignalSource.beforeTheEnd(nil)
                write("\n")
            }
        }
        return Self.line(from: raw)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(raw, bytes, bytes.count)
    }

    /// One line, without its end; nil where nothing comes any more.
    static func line(from raw: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(raw, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else {
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}
