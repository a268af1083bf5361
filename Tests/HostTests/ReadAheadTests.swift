import Testing

@testable import FileProviderHost

@Suite("Who reads a long file")
struct ReadAheadTests {
    private static let size: Int64 = 1 << 30
    private let settings = HostSettings()

    /// What is brought here for reads, one after another, where nothing is here but what was brought for those before.
    private func plans(_ reads: [Range<Int64>]) -> [ReadAhead.Plan] {
        var ahead = ReadAhead()
        var here: [Range<Int64>] = []
        var plans: [ReadAhead.Plan] = []
        for read in reads {
            ahead.note(read, settings)
            guard
                !here.contains(where: {
                    $0.contains(read.lowerBound) && $0.upperBound >= read.upperBound
                })
            else { continue }
            let plan = ahead.plan(for: read, of: Self.size, settings)
            here.append(plan.range)
            plans.append(plan)
        }
        return plans
    }

    private func reads(_ count: Int64, of length: Int64 = 128 << 10) -> [Range<Int64>] {
        (0..<count).map { $0 * length..<($0 + 1) * length }
    }

    @Test("on and on gets as much again as was read already, and in the end all of it")
    func onAndOn() {
        let plans = plans(reads(1024))
        // 128 MiB, which would be 1,024 questions.
        #expect(plans.count < 20, "\(plans)")
        #expect(plans.last?.isAll == true)
        // Who has read 8 MiB of a GiB may be looking what it is.
        #expect(plans.allSatisfy { !$0.isAll || $0.range.upperBound >= 64 << 20 })
        #expect(
            plans.allSatisfy { $0.range.upperBound - $0.range.lowerBound <= settings.partLength })
        #expect(plans.first == ReadAhead.Plan(range: 0..<128 << 10, isAll: false))
    }

    @Test("on and on is known by what is here already, too")
    func throughWhatIsHere() {
        var ahead = ReadAhead()
        for read in reads(64) { ahead.note(read, settings) }
        let next: Range<Int64> = 8 << 20..<(8 << 20) + 1
        ahead.note(next, settings)
        let plan = ahead.plan(for: next, of: Self.size, settings)
        #expect(plan.range.upperBound >= 16 << 20)
        // With a few parts more, one that is not large is here.
        #expect(!ahead.plan(for: next, of: 16 << 20, settings).isAll)
        #expect(ahead.plan(for: next, of: 100 << 20, settings).isAll)
    }

    @Test("and leaps over most of it gets little more than was asked for")
    func leaping() {
        let starts = (0..<200).map { Int64($0) << 18 }
        let reads = starts.map { $0..<$0 + 4096 }
        for plan in plans(reads) {
            #expect(plan.range.upperBound - plan.range.lowerBound == settings.partAlignment)
        }
        let again = Array(repeating: 0..<Int64(4096), count: 10_000)
        #expect(plans(again) == plans([0..<4096]))
    }

    @Test("may be at the end of numbers")
    func largest() {
        var ahead = ReadAhead()
        let last: Range<Int64> = .max - 4096 ..< .max
        for read in [last, 0..<1, last, last] {
            ahead.note(read, settings)
            let plan = ahead.plan(for: read, of: .max, settings)
            #expect(plan.range.upperBound >= read.upperBound)
        }
    }

    @Test("by way of a kernel that does not keep its questions in order is known to read on")
    func outOfOrder() {
        var mixed = reads(512)
        for index in stride(from: 0, to: mixed.count - 1, by: 2) { mixed.swapAt(index, index + 1) }
        #expect(plans(mixed).count < 32)
    }

    @Test("here and there gets little more than was asked for")
    func hereAndThere() {
        let reads = (1..<100).map { index in
            let start = (index * 7919 % 101) * (8 << 20)
            return start..<start + 4096
        }
        for plan in plans(reads.map { Int64($0.lowerBound)..<Int64($0.upperBound) }) {
            #expect(plan.range.upperBound - plan.range.lowerBound == settings.partAlignment)
            #expect(!plan.isAll)
        }
    }

    @Test("gets a short one whole")
    func short() {
        let ahead = ReadAhead()
        #expect(
            ahead.plan(for: 0..<1, of: settings.shortLength, settings)
                == ReadAhead.Plan(range: 0..<settings.shortLength, isAll: false))
    }
}
