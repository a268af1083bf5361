import FileProviderReplica

@testable import FileProviderHost

/// What was found in all of the planner's space, or in a part of it, in one walk.
struct PlannerReport: Sendable {
    private(set) var count = 0
    private(set) var broken: [PlannerProperty: Int] = [:]
    private(set) var examples: [PlannerProperty: [String]] = [:]

    /// So few that no core is left without any for long.
    private static let partLength = 32

    /// Walked through once, by whoever asks first.
    private static let walk = Task {
        await withTaskGroup(of: PlannerReport.self) { group in
            let trees = [NodeKind.file, .folder, .symlink].flatMap(PlannerSpace.trees)
            for start in stride(from: 0, to: trees.count, by: partLength) {
                let part = trees[start..<min(start + partLength, trees.count)]
                group.addTask { PlannerReport(part) }
            }
            return await group.reduce(into: PlannerReport()) { $0.add($1) }
        }
    }

    static var all: PlannerReport {
        get async { await walk.value }
    }

    private init() {}

    private init(_ trees: ArraySlice<NodeTrees>) {
        var (count, broken, examples) = (0, self.broken, self.examples)
        for trees in trees {
            PlannerSpace.forEach(trees) { known in
                count += 1
                let step = known.step
                for property in PlannerProperty.allCases where !property.holds(known, step) {
                    broken[property, default: 0] += 1
                    if examples[property, default: []].count < 3 {
                        examples[property, default: []].append("\(known) gives \(step)")
                    }
                }
            }
        }
        (self.count, self.broken, self.examples) = (count, broken, examples)
    }

    private mutating func add(_ other: PlannerReport) {
        count += other.count
        broken.merge(other.broken, uniquingKeysWith: +)
        examples.merge(other.examples) { Array(($0 + $1).prefix(3)) }
    }
}
