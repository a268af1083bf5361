/// Lays out the states of a `Glob`, piece by piece.
struct GlobBuilder {
    let words: Int
    /// The state that the next piece leads out of; in the end, the one that a whole text leads to.
    private(set) var state = 0
    private(set) var ascii: [UInt64]
    private(set) var anyWide: [UInt64]
    private(set) var wide: [Unicode.Scalar: [UInt64]] = [:]
    private(set) var wideSets: [(state: Int, set: ScalarSet)] = []
    private(set) var stays: [UInt64]
    private(set) var staysAtSeparator: [UInt64]
    private(set) var skips: [UInt64]
    private let separator: Unicode.Scalar?
    /// How the state that comes next can be stayed in.
    private var staying = Staying.never

    private enum Staying { case never, inComponent, always }

    init(capacity states: Int, separator: Unicode.Scalar?) {
        words = (states + 63) / 64
        self.separator = separator
        ascii = [UInt64](repeating: 0, count: 128 * words)
        anyWide = [UInt64](repeating: 0, count: words)
        stays = anyWide
        staysAtSeparator = anyWide
        skips = anyWide
    }

    mutating func add(_ element: GlobElement) {
        switch element {
        case .scalar(let scalar):
            take(scalar)
            next()
        case .one:
            takeAny()
            next()
        case .set(let set):
            for value in 0..<UInt8(128) {
                let scalar = Unicode.Scalar(value)
                if scalar != separator, set.contains(scalar) { take(scalar) }
            }
            wideSets.append((state, set))
            next()
        case .run:
            if staying == .never { staying = separator == nil ? .always : .inComponent }
        case .components:
            staying = .always
            skips[state / 64] |= bit
            if let separator { take(separator) }
            next()
        case .rest:
            takeAny()
            next()
            staying = .always
        }
    }

    mutating func finish() {
        markStaying()
    }

    private mutating func next() {
        markStaying()
        state += 1
        staying = .never
    }

    private mutating func markStaying() {
        guard staying != .never else { return }
        stays[state / 64] |= bit
        if staying == .always { staysAtSeparator[state / 64] |= bit }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            ascii[Int(scalar.value) * words + state / 64] |= bit
        } else {
            wide[scalar, default: [UInt64](repeating: 0, count: words)][state / 64] |= bit
        }
    }

    private mutating func takeAny() {
        for value in 0..<UInt8(128) where Unicode.Scalar(value) != separator {
            take(Unicode.Scalar(value))
        }
        anyWide[state / 64] |= bit
    }

    private var bit: UInt64 { 1 << UInt64(state % 64) }
}
