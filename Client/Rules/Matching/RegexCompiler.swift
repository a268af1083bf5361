/// Writes a regular expression out as steps of a machine.
struct RegexCompiler {
    private(set) var steps: [BoundedRegex.Step] = []
    private let options: TextOptions
    /// Counts what is written out, even if it is nothing a thousand times.
    private var work = 0

    init(_ options: TextOptions) {
        self.options = options
    }

    mutating func compile(_ node: RegexNode) throws(RegexFlaw) {
        work += 1
        guard max(work / 4, steps.count) < BoundedRegex.mostSteps else {
            throw .tooLarge(limit: BoundedRegex.mostSteps)
        }
        switch node {
        case .scalar(let scalar):
            // In the form that the text has then, where it may be two.
            let folded = FoldedText(String(scalar), options).scalars
            steps += folded.map(BoundedRegex.Step.scalar)
        case .notNewline: steps.append(.notNewline)
        case .set(let set): steps.append(.set(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .sequence(let parts):
            for part in parts { try compile(part) }
        case .choice(let parts): try compile(choice: parts)
        case .repeated(let part, let least, let most):
            for _ in 0..<least { try compile(part) }
            guard let most else { return try compile(loop: part) }
            for _ in least..<most { try compile(optional: part) }
        }
    }

    private mutating func compile(choice parts: [RegexNode]) throws(RegexFlaw) {
        var jumps: [Int] = []
        for part in parts.dropLast() {
            let fork = steps.count
            steps.append(.choice(fork + 1, fork + 1))
            try compile(part)
            jumps.append(steps.count)
            steps.append(.jump(0))
            steps[fork] = .choice(fork + 1, steps.count)
        }
        if let last = parts.last { try compile(last) }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func compile(loop part: RegexNode) throws(RegexFlaw) {
        let fork = steps.count
        steps.append(.choice(fork + 1, fork + 1))
        try compile(part)
        steps.append(.jump(fork))
        steps[fork] = .choice(fork + 1, steps.count)
    }

    private mutating func compile(optional part: RegexNode) throws(RegexFlaw) {
        let fork = steps.count
        steps.append(.choice(fork + 1, fork + 1))
        try compile(part)
        steps[fork] = .choice(fork + 1, steps.count)
    }
}
