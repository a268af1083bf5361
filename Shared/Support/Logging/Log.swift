/// Structured lines for whoever runs the program. A value, passed along with the fields that every
/// line of its part bears.
package struct Log: Sendable {
    package enum Level: Int, Comparable, Sendable, CaseIterable {
        case debug, info, notice, warning, error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One line: what happened, and with what.
    package struct Entry: Sendable {
        package let level: Level
        package let message: StaticString
        package let fields: [(name: String, value: Value)]
    }

    /// What a field may hold.
    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int64)
        case flag(Bool)
        case duration(Duration)

        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int64) { self = .number(value) }
    }

    private let level: Level
    private let common: [(name: String, value: Value)]
    private let sink: @Sendable (Entry) -> Void

    package init(level: Level, sink: @escaping @Sendable (Entry) -> Void) {
        self.init(level: level, common: [], sink: sink)
    }

    private init(
        level: Level, common: [(name: String, value: Value)],
        sink: @escaping @Sendable (Entry) -> Void
    ) {
        self.level = level
        self.common = common
        self.sink = sink
    }

    /// Says nothing: for tests.
    package static let silent = Log(level: .error) { _ in }

    /// The same log, with a field on every line.
    package func with(_ name: String, _ value: Value) -> Log {
        Log(level: level, common: common + [(name, value)], sink: sink)
    }

    package func isEnabled(_ level: Level) -> Bool {
        level >= self.level
    }

    /// The fields are built only when the line is wanted.
    package func write(
        _ level: Level, _ message: StaticString,
        _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        guard isEnabled(level) else { return }
        let all = common + fields().map { (name: $0.key, value: $0.value) }
        sink(Entry(level: level, message: message, fields: all))
    }

    package func debug(
        _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        write(.debug, message, fields())
    }

    package func info(
        _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        write(.info, message, fields())
    }

    package func notice(
        _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        write(.notice, message, fields())
    }

    package func warning(
        _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        write(.warning, message, fields())
    }

    package func error(
        _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<String, Value> = [:]
    ) {
        write(.error, message, fields())
    }
}
