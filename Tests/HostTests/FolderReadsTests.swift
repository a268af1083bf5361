import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("Reading a folder's files one after another")
struct FolderReadsTests {
    private let program = Program(name: "cp")

    private func notes(
        _ files: [Int64], every pause: Duration = .milliseconds(10), in folder: Int64 = 7,
        _ reads: inout FolderReads
    ) -> [Int] {
        files.map { file in
            reads.note(
                NodeID(rawValue: file), in: NodeID(rawValue: folder), by: program,
                at: pause * Int(file))
        }
    }

    @Test("asks for more from the third one on, and again when half of them have been read")
    func row() {
        var reads = FolderReads(most: 16)
        let found = notes(Array(1...30), &reads)
        #expect(found.prefix(9) == [0, 0, 12, 0, 0, 0, 0, 0, 16])
        #expect(found.filter { $0 > 0 } == [12, 16, 16, 16])
    }

    @Test("is not reading the same file again, nor reading with long pauses")
    func others() {
        var reads = FolderReads(most: 16)
        #expect(notes([Int64](repeating: 1, count: 20), &reads).allSatisfy { $0 == 0 })
        var slow = FolderReads(most: 16)
        #expect(notes(Array(1...20), every: .seconds(6), &slow).allSatisfy { $0 == 0 })
    }

    @Test("is one program's in one folder, of which some are remembered")
    func trails() {
        var reads = FolderReads(most: 16)
        for file in 1...2 {
            for folder in 1...16 {
                let found = notes([Int64(file)], in: Int64(folder), &reads)
                #expect(found == [0])
            }
        }
        #expect(notes([3], in: 5, &reads) == [12])
        // A further one takes the place of the one that was used longest ago.
        #expect(notes([3], in: 99, &reads) == [0])
        #expect(notes([3], in: 1, &reads) == [0])
        #expect(notes([3], in: 2, &reads) == [0])
        #expect(notes([3], in: 16, &reads) == [12])
    }
}
