/// Turns entries into lines, at a cost that a busy server does not notice.
///
/// `2026-11-21T09:30:00.123Z info    request id=7f3a status=200`, or the same as a JSON object. A
/// duration counts milliseconds in both.
struct LogFormatter {
    private let format: LogFormat
    /// The second that `date` tells: the date is worked out once a second, not once a line.
    private var second: Int64?
    private var date: [UInt8] = []

    init(_ format: LogFormat) {
        self.format = format
    }

    mutating func append(_ entry: Log.Entry, at moment: Timestamp, to buffer: inout [UInt8]) {
        switch format {
        case .text: appendText(entry, at: moment, to: &buffer)
        case .json: appendJSON(entry, at: moment, to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private mutating func appendText(
        _ entry: Log.Entry, at moment: Timestamp, to buffer: inout [UInt8]
    ) {
        appendTime(moment, to: &buffer)
        buffer.append(UInt8(ascii: " "))
        let name = entry.level.name
        buffer.append(name)
        buffer.append(
            contentsOf: repeatElement(UInt8(ascii: " "), count: 8 - name.utf8CodeUnitCount))
        buffer.append(entry.message)
        for (name, value) in entry.fields {
            buffer.append(UInt8(ascii: " "))
            buffer.appendLogText(name)
            buffer.append(UInt8(ascii: "="))
            switch value {
            case .text(let text): buffer.appendLogText(text)
            case .number(let number): buffer.appendDecimal(number)
            case .flag(let flag): buffer.append(flag ? "yes" : "no")
            case .duration(let duration):
                buffer.appendMilliseconds(duration)
                buffer.append("ms")
            }
        }
    }

    private mutating func appendJSON(
        _ entry: Log.Entry, at moment: Timestamp, to buffer: inout [UInt8]
    ) {
        buffer.append("{\"time\":\"")
        appendTime(moment, to: &buffer)
        buffer.append("\",\"level\":\"")
        buffer.append(entry.level.name)
        buffer.append("\",\"message\":")
        buffer.appendJSON(entry.message.description)
        for (name, value) in entry.fields {
            buffer.append(UInt8(ascii: ","))
            buffer.appendJSON(name)
            buffer.append(UInt8(ascii: ":"))
            switch value {
            case .text(let text): buffer.appendJSON(text)
            case .number(let number): buffer.appendDecimal(number)
            case .flag(let flag): buffer.append(flag ? "true" : "false")
            case .duration(let duration): buffer.appendMilliseconds(duration)
            }
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private mutating func appendTime(_ moment: Timestamp, to buffer: inout [UInt8]) {
        let seconds = moment.seconds
        if second != seconds {
            second = seconds
            date.removeAll(keepingCapacity: true)
            Timestamp(nanoseconds: moment.nanoseconds - moment.fraction).appendRFC3339(to: &date)
            date[date.count - 1] = UInt8(ascii: ".")  // It ended in Z.
        }
        buffer.append(contentsOf: date)
        buffer.appendThree(moment.fraction / 1_000_000)
        buffer.append(UInt8(ascii: "Z"))
    }
}

extension Timestamp {
    /// Nanoseconds since the last whole second.
    fileprivate var fraction: Int64 {
        nanoseconds.flooredRemainder(by: 1_000_000_000)
    }
}
