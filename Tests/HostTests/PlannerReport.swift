import FileProviderReplica

@testable import FileProviderHost

/// What was found in all of the planner's space, or in that of one kind of node, in one walk.
struct PlannerReport: Sendable {
    private(set) var count = 0
    private(set) var broken: [PlannerProperty: Int] = [:]
    private(set) var examples: [PlannerProperty: [String]] = [:]

    /// Walked through once, by whoever asks first.
    private static let walk = Task {
        await withTaskGroup(of: PlannerReport.self) { group in
            for kind in [NodeKind.file, .folder, .symlink] {
                group.addTask { PlannerReport(kind) }
            }
            return await group.reduce(into: PlannerReport()) { $0.add($1) }
        }
    }

    static var all: PlannerReport {
        get async { await walk.value }
    }

    private init() {}

    private init(_ kind: NodeKind) {
        var (count, broken, examples) = (0, self.broken, self.examples)
        PlannerSpace.forEach(kind) { known in
            count += 1
            let step = known.step
            for property in PlannerProperty.allCases where !property.holds(known, step) {
                broken[property, default: 0] += 1
                if examples[property, default: []].count < 3 {
                    examples[property, default: []].append("\(known) gives \(step)")
                }
            }
        }
        (self.count, self.broken, self.examples) = (count, broken, examples)
    }

    private mutating func add(_ other: PlannerReport) {
        count += other.count
        broken.merge(other.broken, uniquingKeysWith: +)
        examples.merge(other.examples, uniquingKeysWith: +)
    }
}
