import Testing

@testable import BasketSupport

@Suite("Waiting line", .timeLimit(.minutes(60)))
struct WaitingLineTests {
    @Test("those that somebody waits for are next, then the others as they came")
    func order() {
        var line = WaitingLine<String>()
        line.join("a", number: 1, isAwaited: false)
        line.join("b", number: 2, isAwaited: true)
        line.join("c", number: 3, isAwaited: false)
        line.join("d", number: 4, isAwaited: true)
        #expect(line.leave(number: 1) == "a")
        #expect(line.leave(number: 1) == nil)
        #expect(line.count == 3)
        #expect([line.next(), line.next(), line.next(), line.next()] == ["b", "d", "c", nil])
        #expect(line.count == 0)
    }

    @Test("does what an array would do", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var line = WaitingLine<UInt64>()
        var model: [(number: UInt64, isAwaited: Bool)] = []
        for number in 0..<2000 as Range<UInt64> {
            switch UInt64.random(in: 0..<5, using: &random) {
            case 0, 1:
                let isAwaited = Bool.random(using: &random)
                line.join(number, number: number, isAwaited: isAwaited)
                model.append((number, isAwaited))
            case 2, 3:
                let leaving = model.randomElement(using: &random)?.number ?? number
                let isThere = model.contains { $0.number == leaving }
                #expect(line.leave(number: leaving) == (isThere ? leaving : nil))
                model.removeAll { $0.number == leaving }
            default:
                let next = model.firstIndex { $0.isAwaited } ?? model.indices.first
                #expect(line.next() == next.map { model.remove(at: $0).number })
            }
            #expect(line.count == model.count)
        }
    }

    @Test("costs the same however many stand in it")
    func long() {
        var line = WaitingLine<UInt64>()
        let count = 200_000 as UInt64
        for number in 0..<count { line.join(number, number: number, isAwaited: false) }
        for number in stride(from: 1, to: count, by: 2) { _ = line.leave(number: number) }
        var left = 0
        while line.next() != nil { left += 1 }
        #expect(left == 100_000)
    }
}
