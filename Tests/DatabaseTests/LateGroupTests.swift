import BasketDatabase
import Testing

@Suite("A group of calls that nobody waits for the disk with")
struct LateGroupTests {
    @Test("does not wait for it, and is joined by nobody who does")
    func mixed() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter(borrowsThreads: true) { try database.open() }
        let soon = try await writer.writeSoon { $0.waitsForDisk }
        let later = try await writer.write { $0.waitsForDisk }
        #expect(!soon && later)

        let wrong = await withTaskGroup(of: Int.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do {
                        if number.isMultiple(of: 3) {
                            return try await writer.write { db in
                                try db.add("word \(number)")
                                return db.waitsForDisk ? 0 : 1
                            }
                        }
                        try await writer.writeSoon { try $0.add("word \(number)") }
                        return 0
                    } catch {
                        return 1
                    }
                }
            }
            return await group.reduce(0, +)
        }

        #expect(wrong == 0)
        #expect(try database.open(.reader).words().count == 400)
        writer.stop()
    }

    @Test("waits like any other one where no threads are borrowed")
    func patient() async throws {
        let database = try TemporaryDatabase()
        _ = try database.withWords()
        let writer = try await GroupCommitWriter { try database.open() }
        #expect(try await writer.writeSoon { $0.waitsForDisk })
        writer.stop()
    }
}
