import BasketSupport
import Synchronization
import Testing

/// Takes what a writer brings out; while it is held, a write waits as on a stuck terminal.
private final class Sink: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let gate = Semaphore()
    private let entered = Semaphore()
    private let isHeld = Mutex(false)

    /// Longer than any machine is busy with other things.
    private static let patience = Duration.seconds(1200)

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    func take(_ more: [UInt8]) {
        if isHeld.withLock({ $0 }) {
            entered.signal()
            _ = gate.wait(upTo: Self.patience)
        }
        bytes.withLock { $0 += more }
    }

    /// From now on a write waits.
    func hold() {
        isHeld.withLock { $0 = true }
    }

    /// Returns once a write waits; false when none comes.
    func awaitWrite() -> Bool {
        entered.wait(upTo: Self.patience)
    }

    func release() {
        isHeld.withLock { $0 = false }
        gate.signal()
    }
}

private func withWriter(
    _ format: LogFormat = .text, level: Log.Level = .debug, _ body: (LogWriter, Log, Sink) -> Void
) -> Sink {
    let sink = Sink()
    let moment = Timestamp(nanoseconds: 1_795_253_400_123_456_789)
    let writer = LogWriter(format, now: { moment }, output: sink.take)
    body(writer, writer.log(level: level), sink)
    writer.stop()
    return sink
}

@Suite("A log")
struct LogWriterTests {
    @Test("is lines that a person reads")
    func text() {
        let sink = withWriter { _, log, _ in
            log.with("id", .text("7f3a")).info(
                "request",
                [
                    "status": 200, "route": "/v1/items/{item}", "fresh": .flag(true),
                    "took": .duration(.microseconds(1234)),
                ])
            log.error("stopped", ["offset": .number(.min)])
        }
        #expect(
            sink.text == """
                2026-11-21T09:30:00.123Z info    request id=7f3a status=200 \
                route=/v1/items/{item} fresh=yes took=1.234ms
                2026-11-21T09:30:00.123Z error   stopped offset=-9223372036854775808

                """)
    }

    @Test("is JSON that a program reads")
    func json() {
        let sink = withWriter(.json) { _, log, _ in
            log.warning(
                "slow \"disk\"",
                ["path": "/a\\b\n", "fresh": .flag(false), "took": .duration(.seconds(-2))])
        }
        #expect(
            sink.text == #"{"time":"2026-11-21T09:30:00.123Z","level":"warning","#
                + #""message":"slow \"disk\"","path":"/a\\b\n","fresh":false,"took":-2000.000}"#
                + "\n")
    }

    @Test(
        "lets no value end a line, pass for another field, or command a terminal",
        arguments: [
            ("", #""""#, #""""#),
            ("two words", #""two words""#, #""two words""#),
            ("a=b", #""a=b""#, #""a=b""#),
            ("\u{1B}[2J", #""\u{1b}[2J""#, #""\u001b[2J""#),
            ("a\nb\r\tc\0", #""a\nb\r\tc\u{0}""#, #""a\nb\r\tc\u0000""#),
            ("\u{9B}31m", #""\u{9b}31m""#, #""\u009b31m""#),
            ("\u{7F}", #""\u{7f}""#, #""\u007f""#),
            ("gpj\u{202E}.exe", #""gpj\u{202e}.exe""#, #""gpj\u202e.exe""#),
            ("a\u{2028}b", #""a\u{2028}b""#, #""a\u2028b""#),
            ("\u{E0041}", #""\u{e0041}""#, #""\udb40\udc41""#),
            ("Grüße 👨‍👩‍👧", #""Grüße 👨‍👩‍👧""#, #""Grüße 👨‍👩‍👧""#),
            (#"a"b\c"#, #""a\"b\\c""#, #""a\"b\\c""#),
        ])
    func escapes(value: String, text: String, json: String) {
        let asText = withWriter { _, log, _ in log.info("x", ["v": .text(value)]) }
        #expect(asText.text == "2026-11-21T09:30:00.123Z info    x v=\(text)\n")
        let asJSON = withWriter(.json) { _, log, _ in log.info("x", ["v": .text(value)]) }
        #expect(asJSON.text.hasSuffix(#""message":"x","v":\#(json)}"# + "\n"))
    }

    @Test("cuts off what is too long, between two characters", arguments: ["a", "ü", "👋"])
    func truncates(character: Character) {
        let sink = withWriter { _, log, _ in
            log.info("x", ["v": .text(String(repeating: character, count: 5000))])
        }
        #expect(sink.lines.count == 1)
        #expect(sink.text.utf8.count < 2200)
        #expect(sink.text.hasSuffix("\(character)…\"\n"))
    }

    @Test("leaves out what is below its level")
    func level() {
        let sink = withWriter(level: .notice) { _, log, _ in
            log.info("a")
            log.notice("b")
        }
        #expect(sink.lines.count == 1)
    }

    @Test("is written when a flush returns")
    func flush() {
        _ = withWriter { writer, log, sink in
            for count in 1...50 {
                log.info("line")
                writer.flush()
                #expect(sink.lines.count == count)
            }
            writer.flush()
            #expect(sink.lines.count == 50)
        }
    }

    @Test(
        "does not wait with a warning, nor with much",
        arguments: [(Log.Level.warning, 1), (.error, 1), (.info, 1000)])
    func hurries(level: Log.Level, lines: Int) {
        let sink = Sink()
        let moment = Timestamp(nanoseconds: 0)
        let writer = LogWriter(
            .text, now: { moment }, interval: .seconds(3600), output: sink.take)
        let log = writer.log(level: .info)
        let value = String(repeating: "v", count: 100)
        sink.hold()
        for _ in 0..<lines { log.write(level, "line", ["value": .text(value)]) }
        #expect(sink.awaitWrite())
        sink.release()
        writer.stop()
        #expect(sink.lines.count == lines)
    }

    @Test("tells each line's own time")
    func times() {
        let times = Mutex([
            "1969-12-31T23:59:59.999Z", "2026-11-21T09:30:00.001Z", "2026-11-21T09:30:00.999Z",
            "2026-11-21T09:30:01.000Z", "2026-11-21T09:29:59.500Z",
        ])
        let expected = times.withLock { $0 }
        let now: @Sendable () -> Timestamp = {
            let text = times.withLock { $0.isEmpty ? "" : $0.removeFirst() }
            return Timestamp(rfc3339: text) ?? Timestamp(nanoseconds: 0)
        }
        let sink = Sink()
        // The thread asks for the time too, before each write: one write, after all lines.
        let writer = LogWriter(.text, now: now, interval: .seconds(3600), output: sink.take)
        for _ in expected { writer.log(level: .info).info("x") }
        writer.stop()
        #expect(sink.lines == expected.map { "\($0) info    x" })
    }

    @Test("drops lines at its limit instead of holding up its callers, and counts them")
    func drops() {
        let sent = 20_000
        let sink = withWriter { writer, log, sink in
            sink.hold()
            log.warning("first")
            #expect(sink.awaitWrite())
            let value = String(repeating: "v", count: 100)
            for _ in 0..<sent { log.info("line", ["value": .text(value)]) }
            sink.release()
            writer.flush()
            log.info("last")
        }
        let lines = sink.lines
        let kept = lines.count(where: { $0.contains(" line ") })
        #expect(sink.text.utf8.count < LogWriter.mostBytes + 1000)
        #expect(kept > 5000)
        let words = "warning log lines dropped count=\(sent - kept)"
        #expect(lines.dropLast().last?.hasSuffix(words) == true)
        #expect(lines.last?.hasSuffix("last") == true)
    }

    @Test("keeps every line of many threads whole")
    func threads() {
        let sink = withWriter { _, log, _ in
            let threads = (0..<4).map { thread in
                Thread(name: "test") {
                    for line in 0..<500 {
                        log.info(
                            "line", ["thread": .number(Int64(thread)), "n": .number(Int64(line))])
                    }
                }
            }
            for thread in threads { thread.join() }
        }
        #expect(Set(sink.lines).count == 2000)
        #expect(
            sink.lines.allSatisfy { $0.hasPrefix("2026-11-21T09:30:00.123Z info    line thread=") })
    }

    @Test("still writes what comes after its end")
    func afterStop() {
        let sink = Sink()
        let writer = LogWriter(.text, now: { Timestamp(nanoseconds: 0) }, output: sink.take)
        writer.stop()
        writer.log(level: .info).info("late")
        writer.flush()
        writer.stop()
        #expect(sink.text == "1970-01-01T00:00:00.000Z info    late\n")
    }
}
