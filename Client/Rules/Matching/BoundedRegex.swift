/// The pattern of `MATCHES`, for whole texts: a regular expression without what would need a
/// machine that goes back. It is run as all of its states at once, so that a text takes its length
/// times the expression's size, and no longer.
struct BoundedRegex: Sendable {
    /// A step of the machine; jumps and choices take nothing of the text.
    enum Step: Equatable, Sendable {
        case scalar(Unicode.Scalar)
        case notNewline
        case set(ScalarSet)
        case start, end
        case jump(Int)
        case choice(Int, Int)
        case accepted
    }

    /// What repetitions such as `{1,50}` of one another may come to.
    static let mostSteps = 2_000

    private let steps: [Step]
    private let options: TextOptions

    init(_ pattern: String, _ options: TextOptions) throws(RegexFlaw) {
        var compiler = RegexCompiler(options)
        try compiler.compile(RegexParser.parse(pattern, options))
        steps = compiler.steps + [.accepted]
        self.options = options
    }

    /// How much a scalar of a text may cost.
    var weight: Int {
        steps.reduce(0) { sum, step in
            if case .set(let set) = step { sum + set.weight } else { sum + 1 }
        }
    }

    func matches(_ text: String) -> Bool {
        let scalars = FoldedText(text, options).scalars
        var active = ActiveSteps(count: steps.count)
        var following = active
        enter(0, &active, isStart: true, isEnd: scalars.isEmpty)
        for (index, scalar) in scalars.enumerated() {
            if active.list.isEmpty { return false }
            following.removeAll()
            for step in active.list where takes(steps[step], scalar) {
                enter(step + 1, &following, isStart: false, isEnd: index == scalars.count - 1)
            }
            swap(&active, &following)
        }
        return active.list.contains { steps[$0] == .accepted }
    }

    private func takes(_ step: Step, _ scalar: Unicode.Scalar) -> Bool {
        switch step {
        case .scalar(let wanted): scalar == wanted
        case .notNewline: !Self.newlines.contains(scalar)
        case .set(let set): set.contains(scalar)
        default: false
        }
    }

    private static let newlines: [Unicode.Scalar] = [
        "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    /// Adds a step and all that are reached from it without a scalar; each once, so that an empty
    /// loop ends.
    private func enter(_ first: Int, _ active: inout ActiveSteps, isStart: Bool, isEnd: Bool) {
        var waiting = [first]
        while let step = waiting.popLast() {
            guard active.insert(step) else { continue }
            switch steps[step] {
            case .jump(let target): waiting.append(target)
            case .choice(let one, let other): waiting += [one, other]
            case .start where isStart, .end where isEnd: waiting.append(step + 1)
            default: break
            }
        }
    }
}

/// The steps that a machine is at, in a list and as marks.
private struct ActiveSteps {
    private(set) var list: [Int] = []
    private var isIn: [Bool]

    init(count: Int) {
        isIn = [Bool](repeating: false, count: count)
    }

    /// False when it is there already.
    mutating func insert(_ step: Int) -> Bool {
        if isIn[step] { return false }
        isIn[step] = true
        list.append(step)
        return true
    }

    mutating func removeAll() {
        for step in list { isIn[step] = false }
        list.removeAll(keepingCapacity: true)
    }
}
