import BasketDatabase
import Synchronization

extension Replica {
    /// More than a program makes files in a moment, and fewer than anybody would miss.
    private static let numbersAtOnce: Int64 = 64

    /// The number of a file that is about to be made, and nobody else's ever. That it is given is durable before there is
    /// such a file; so many are given at once, as each would have to wait for the disk. Those that nobody has used when
    /// the process ends are given to nobody.
    package func nextFile() async throws -> Int64 {
        if let number = numbers.withLock({ $0.popFirst() }) { return number }
        let given = try await write { try $0.nextFiles(Self.numbersAtOnce) }
        numbers.withLock { numbers in
            // Others may have asked for some meanwhile.
            if numbers.isEmpty { numbers = given.dropFirst() }
        }
        return given.lowerBound
    }
}

extension ReplicaTransaction {
    func nextFiles(_ count: Int64) throws -> Range<Int64> {
        let last =
            try db.value("UPDATE replica SET files = files + ? RETURNING files", count) ?? count
        return last - count + 1..<last + 1
    }
}
