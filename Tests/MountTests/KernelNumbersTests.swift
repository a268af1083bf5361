import BasketSupport
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderMount

@Suite("The numbers by which the kernel knows nodes")
struct KernelNumbersTests {
    private static let (doc, draft, other) = (
        NodeID(rawValue: 7), NodeID(rawValue: 8), NodeID(rawValue: 9)
    )

    private static func play(_ body: (String) throws -> Void) throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/basket-numbers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder + "/numbers")
    }

    private static func numbers(_ path: String, isResumed: Bool = false) -> KernelNumbers {
        KernelNumbers(
            path: path, isResumed: isResumed, world: .live(log: Log(level: .error) { _ in }))
    }

    @Test("are their own, until two have each other's bytes")
    func exchanged() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            #expect(numbers.number(of: Self.doc) == 7 && numbers.node(7) == Self.doc)
            numbers.exchange(Self.doc, Self.draft) { _ in true }
            #expect(numbers.number(of: Self.doc) == 8 && numbers.node(8) == Self.doc)
            #expect(numbers.number(of: Self.draft) == 7 && numbers.node(7) == Self.draft)
            numbers.exchange(Self.doc, Self.draft) { _ in true }
            #expect(numbers.number(of: Self.doc) == 7 && numbers.node(7) == Self.doc)
            #expect(numbers.number(of: Self.draft) == 8 && numbers.node(8) == Self.draft)
        }
    }

    @Test("stay with who has the bytes, in the next process too, when whose they were has gone")
    func successor() throws {
        try Self.play { path in
            let first = Self.numbers(path)
            first.exchange(Self.doc, Self.draft) { _ in true }
            // It was told of it once more since.
            first.forget(7) {
                $0 == 7
            } isThere: {
                $0 != Self.draft
            }
            #expect(first.node(7) == Self.draft)
            // Saved by way of the draft, which is gone then, and with it what it had got.
            first.forget(7) { _ in
                false
            } isThere: {
                $0 != Self.draft
            }
            for _ in 0..<2 {
                let next = Self.numbers(path, isResumed: true)
                #expect(next.number(of: Self.doc) == 8 && next.node(8) == Self.doc)
            }
            let last = Self.numbers(path, isResumed: true)
            last.forget(8) { _ in
                false
            } isThere: {
                $0 != Self.draft
            }
            last.forget(7) { _ in
                false
            } isThere: {
                $0 != Self.draft
            }
            #expect(last.number(of: Self.doc) == 7)
            #expect(Self.numbers(path, isResumed: true).number(of: Self.doc) == 7)
            _ = Self.numbers(path, isResumed: true)
            let left = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(left.isEmpty)
        }
    }

    @Test("are others where somebody goes on with what a node had, and nobody's is nobody else's")
    func renewed() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            #expect(numbers.renew(7))
            let second = numbers.number(of: Self.doc)
            #expect(second != 7 && numbers.node(second) == Self.doc)
            #expect(numbers.node(7) == nil)
            #expect(!numbers.renew(7))
            #expect(numbers.renew(second))
            let third = numbers.number(of: Self.doc)
            #expect(Set([7, second, third]).count == 3)
            #expect(numbers.node(second) == nil && numbers.node(third) == Self.doc)
            // What is written by the first one is beside it.
            #expect(numbers.take(7, for: Self.other) { _ in true } == .from(9))
            #expect(numbers.node(7) == Self.other && numbers.number(of: Self.other) == 7)
            #expect(numbers.node(9) == nil)
            #expect(numbers.take(7, for: Self.other) { _ in true } == .isSo)
            // Or in its place.
            #expect(numbers.take(second, for: Self.doc) { _ in true } == .from(third))
            #expect(numbers.node(second) == Self.doc && numbers.node(third) == nil)
            // Or it is a node's just now, whose bytes it was.
            #expect(
                numbers.take(second, for: Self.draft) { _ in true } == .exchanged(with: Self.doc))
            #expect(numbers.node(second) == Self.draft && numbers.node(8) == Self.doc)
            #expect(numbers.take(second, for: Self.draft) { _ in true } == .isSo)
        }
    }

    @Test("are their own again once the kernel has forgotten both")
    func forgotten() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            numbers.renew(7)
            let second = numbers.number(of: Self.doc)
            numbers.noteTold(second)
            numbers.forget(second) { _ in
                false
            } isThere: { _ in
                true
            }
            // Somebody has the first one open still.
            #expect(numbers.number(of: Self.doc) == second)
            numbers.forget(7) { _ in
                false
            } isThere: { _ in
                true
            }
            #expect(numbers.number(of: Self.doc) == 7 && numbers.node(7) == Self.doc)
            #expect(numbers.node(second) == nil)

            numbers.renew(7)
            let third = numbers.number(of: Self.doc)
            numbers.noteTold(third)
            #expect(third != second)
            numbers.forget(7) { _ in
                false
            } isThere: { _ in
                true
            }
            #expect(numbers.number(of: Self.doc) == third)
            numbers.forget(third) { _ in
                false
            } isThere: { _ in
                true
            }
            #expect(numbers.number(of: Self.doc) == 7)
        }
    }

    @Test("are their own again also where several have exchanged them, however that came")
    func rings() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            let nodes = [Self.doc, Self.draft, Self.other]
            numbers.exchange(Self.doc, Self.draft) { _ in true }
            numbers.exchange(Self.draft, Self.other) { _ in true }
            numbers.exchange(Self.other, NodeID(rawValue: 10)) { _ in true }
            for number: UInt64 in [8, 7, 10] {
                numbers.forget(number) { _ in
                    false
                } isThere: { _ in
                    true
                }
                #expect(nodes.map { numbers.number(of: $0) } != [7, 8, 9])
            }
            numbers.forget(9) { _ in
                false
            } isThere: { _ in
                true
            }
            #expect(nodes.map { numbers.number(of: $0) } == [7, 8, 9])
            #expect(nodes.map { numbers.node(UInt64(bitPattern: $0.rawValue)) } == nodes)
            _ = Self.numbers(path, isResumed: true)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).count
            #expect(bytes == 0)
        }
    }

    @Test("are a node's own where only half of an exchange is noted")
    func half() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            numbers.renew(9)
            numbers.exchange(Self.doc, Self.draft) { _ in true }
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            try whole.dropLast(16).write(to: URL(fileURLWithPath: path))
            let after = Self.numbers(path, isResumed: true)
            #expect(after.node(7) == Self.doc && after.node(8) == Self.draft)
            #expect(after.number(of: Self.doc) == 7 && after.number(of: Self.other) != 9)
        }
    }

    @Test("are no more than there are nodes, however often one of them is saved")
    func savedOften() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            var replaced = UInt64(7)
            for round in 1...10_000 {
                let draft = NodeID(rawValue: Int64(100 + round))
                numbers.exchange(draft, Self.doc) { _ in true }
                numbers.forget(replaced) { _ in
                    false
                } isThere: {
                    $0 == Self.doc
                }
                replaced = numbers.number(of: Self.doc)
                numbers.noteTold(replaced)
            }
            numbers.forget(replaced) { _ in
                false
            } isThere: {
                $0 == Self.doc
            }
            #expect(numbers.number(of: Self.doc) == 7)
            // All that is noted, once it is made anew.
            _ = Self.numbers(path, isResumed: true)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).count
            #expect(bytes == 0)
        }
    }

    @Test("are what they were for the process after this one, and none is given once more")
    func resumed() throws {
        try Self.play { path in
            let before = Self.numbers(path)
            before.exchange(Self.doc, Self.draft) { _ in true }
            before.renew(9)
            let given = before.number(of: Self.other)
            let after = Self.numbers(path, isResumed: true)
            #expect(after.number(of: Self.doc) == 8 && after.node(7) == Self.draft)
            #expect(after.node(9) == nil && after.node(given) == Self.other)
            after.renew(given)
            #expect(after.number(of: Self.other) != given)
            // The kernel of another mount knows nothing of it.
            let anew = Self.numbers(path)
            #expect(anew.number(of: Self.doc) == 7 && anew.node(9) == Self.other)
            #expect(Self.numbers(path, isResumed: true).number(of: Self.doc) == 7)
        }
    }

    @Test("are noted in a file that does not grow with each change")
    func notes() throws {
        try Self.play { path in
            let numbers = Self.numbers(path)
            numbers.renew(9)
            for _ in 0..<100_000 { numbers.exchange(Self.doc, Self.draft) { _ in true } }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).count
            #expect(bytes < 2 << 20)
            let after = Self.numbers(path, isResumed: true)
            #expect(after.number(of: Self.other) == numbers.number(of: Self.other))
            #expect(after.number(of: Self.doc) == 7)
        }
    }
}
