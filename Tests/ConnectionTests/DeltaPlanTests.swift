import BasketContent
import Testing

@testable import BasketConnection

@Suite("The plan of a download")
struct DeltaPlanTests {
    /// A manifest of chunks with these names, 64 KiB each.
    private func manifest(_ names: String) throws -> Manifest {
        let chunks = names.utf8.map { name in
            let bytes = [UInt8](repeating: name, count: Manifest.minimumChunkLength)
            return Manifest.Chunk(length: bytes.count, hash: ContentHash(of: bytes))
        }
        let all = names.utf8.flatMap {
            [UInt8](repeating: $0, count: Manifest.minimumChunkLength)
        }
        return try Manifest(
            size: Int64(all.count), hash: ContentHash(of: all), chunks: chunks)
    }

    @Test(
        "fetches neighbours together, and nothing that is here",
        arguments: [
            ("abc", "abc", []), ("abc", "xbc", [0..<1]), ("abxycz", "abc", [2..<4, 5..<6]),
            ("ccc", "abc", []), ("ba", "ab", []), ("xyz", "", [0..<3]), ("", "abc", []),
        ])
    func plans(new: String, old: String, fetched: [Range<Int64>]) throws {
        let plan = DeltaPlan(to: try manifest(new), from: old.isEmpty ? nil : try manifest(old))
        let unit = Int64(Manifest.minimumChunkLength)
        #expect(plan.fetches == fetched.map { $0.lowerBound * unit..<$0.upperBound * unit })
        #expect(plan.copies.count == new.count - fetched.reduce(0) { $0 + $1.count })
        for copy in plan.copies {
            let byte = Array(old.utf8)[Int(copy.source / unit)]
            #expect(Array(new.utf8)[Int(copy.target / unit)] == byte)
        }
    }

    @Test("fetches long parts in pieces")
    func pieces() throws {
        let plan = DeltaPlan(to: try manifest(String(repeating: "x", count: 300)), from: nil)
        #expect(plan.fetches.count == 2)
        #expect(plan.fetches.allSatisfy { $0.count <= DeltaPlan.longestFetch })
        #expect(plan.fetchedBytes == 300 * Int64(Manifest.minimumChunkLength))
    }
}
