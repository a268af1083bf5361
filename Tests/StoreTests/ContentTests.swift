import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Writing a file's content")
struct ContentTests {
    @Test(
        "keeps what was there as a version, with who wrote it and when",
        arguments: WriterKind.allCases)
    func versions(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let id = try await fixture.file("file", "one")
        let first = try fixture.item(id)
        #expect(try await fixture.write("two", to: id, by: fixture.phone) == nil)
        let second = try fixture.item(id)
        #expect(second.contentVersion > first.contentVersion)
        let versions = try fixture.store.read { try $0.versions(of: second) }
        #expect(versions.map(\.version) == [second.contentVersion, first.contentVersion])
        #expect(versions.map(\.deviceName) == ["phone", "laptop"])
        #expect(versions.map(\.authorName) == ["ann", "ann"])
        #expect(versions.map(\.stored) == [second.stored, first.stored])
        #expect(
            try fixture.store.read { db in try versions.map { try db.text($0.content) } } == [
                "two", "one",
            ])
    }

    @Test("over another version than the writer has seen is refused, or kept as a conflict")
    func stale() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("two", to: id, .base(base))
        let current = try fixture.item(id)

        await #expect(throws: StoreError.staleContent(id)) {
            try await fixture.write("three", to: id, .base(base), by: fixture.bob)
        }
        let kept = try await fixture.write("three", to: id, .baseOrKeep(base), by: fixture.bob)

        let after = try fixture.item(id)
        #expect(try fixture.text(id) == "two")
        #expect(after.contentVersion == current.contentVersion)
        #expect(after.conflicts == 1)
        #expect(after.rank > current.rank)
        let conflict = try fixture.store.read { db in
            try db.versions(of: after).first { $0.standing == .conflict }
        }
        #expect(conflict?.version == kept)
        #expect(conflict?.base == base)
        #expect(conflict?.deviceName == "desktop")
        let again = try await fixture.write("three", to: id, .baseOrKeep(base), by: fixture.bob)
        #expect(again == kept, "sent twice, kept once")
        #expect(try fixture.item(id).conflicts == 1)
    }

    @Test("with the same bytes is never a conflict", arguments: [true, false])
    func sameBytes(keeps: Bool) async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("two", to: id, .base(base))
        let rank = try fixture.work.rank
        let kept = try await fixture.write(
            "two", to: id, keeps ? .baseOrKeep(base) : .base(base), by: fixture.bob)
        #expect(kept == nil)
        #expect(try fixture.work.rank == rank)
    }

    @Test("is never a conflict of a device with itself")
    func ownDevice() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("two", to: id, .base(base))
        // The answer was lost, the file was saved again.
        #expect(try await fixture.write("three", to: id, .baseOrKeep(base)) == nil)
        #expect(try fixture.text(id) == "three")
        let other = try await fixture.write("four", to: id, .baseOrKeep(base), by: fixture.phone)
        #expect(other != nil)
    }

    @Test("of no bytes is a content too")
    func empty() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        let id = try await fixture.change {
            try $0.create(ItemCreation(parent: root, name: "new", kind: .file), in: $1)
        }
        #expect(try fixture.text(id) == nil)
        _ = try await fixture.write("", to: id)
        #expect(try fixture.text(id) == "")
        _ = try await fixture.write("full", to: id)
        let standings = try fixture.store.read {
            try $0.versions(of: fixture.item(id)).map(\.standing)
        }
        #expect(standings == [.current, .earlier])
    }

    @Test("is refused for folders, and changes nothing for readers")
    func refused() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite(.reader)
        let folder = try await fixture.folder("folder")
        let file = try await fixture.file("file")
        await #expect(throws: StoreError.notAFile(folder)) {
            try await fixture.write("text", to: folder)
        }
        await #expect(throws: StoreError.forbidden(needs: "writer")) {
            try await fixture.write("text", to: file, by: fixture.bob)
        }
        #expect(try fixture.text(file) == "hello")
    }

    @Test("of the same device over the same base is newer, unless it was longer on its way")
    func late() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        func write(_ text: String, over present: Version) async throws {
            _ = try await fixture.change {
                try $0.replaceContent(
                    of: id, with: .init(text: text), condition: .base(base), over: present, in: $1)
            }
        }
        try await write("two", over: base)
        try await write("three", over: try fixture.item(id).contentVersion)

        await #expect(throws: StoreError.staleContent(id)) {
            try await write("between", over: base)
        }
        #expect(try fixture.text(id) == "three")
    }

    @Test("of the same device over the same base is no newer with an earlier date")
    func earlier() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        func write(_ text: String, at seconds: Int64) async throws {
            _ = try await fixture.change {
                try $0.replaceContent(
                    of: id, with: .init(text: text), condition: .base(base),
                    modified: Timestamp(seconds: seconds), in: $1)
            }
        }
        try await write("three", at: 3)
        // As a creation says it once more whose answer was lost.
        await #expect(throws: StoreError.staleContent(id)) { try await write("two", at: 2) }
        #expect(try fixture.text(id) == "three")
        try await write("four", at: 4)
        #expect(try fixture.text(id) == "four")
    }

    @Test(
        "of the same device over the same base is the newer one that was sent later, whatever its date"
    )
    func sent() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        func write(_ text: String, at seconds: Int64, sent: Int64?) async throws {
            _ = try await fixture.change {
                try $0.replaceContent(
                    of: id, with: .init(text: text), condition: .base(base), over: base,
                    modified: Timestamp(seconds: seconds),
                    sent: sent.map { Timestamp(seconds: $0) }, in: $1)
            }
        }
        try await write("two", at: 5, sent: 1)
        // A file with a date of its own was moved over it, and began to come before the other one had.
        try await write("four", at: 3, sent: 3)
        #expect(try fixture.text(id) == "four")
        await #expect(throws: StoreError.staleContent(id)) {
            try await write("three", at: 9, sent: 2)
        }
        await #expect(throws: StoreError.staleContent(id)) {
            try await write("without an order", at: 2, sent: nil)
        }
        #expect(try fixture.text(id) == "four")
    }

    @Test("keeps the content's own date, also when only that is new")
    func dates() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        for (text, seconds) in [("two", Int64(5)), ("two", 6)] {
            _ = try await fixture.change {
                try $0.replaceContent(
                    of: id, with: .init(text: text), condition: .any,
                    modified: Timestamp(seconds: seconds), in: $1)
            }
            #expect(try fixture.item(id).modified == Timestamp(seconds: seconds))
        }
        #expect(try fixture.store.read { try $0.versions(of: fixture.item(id)).count } == 2)
    }

    @Test("that was only known to be there is not made anew of chunks that nobody read")
    func known() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let chunk = StagedChunk(
            hash: ContentHash(of: Array("abc".utf8)), length: 3,
            place: BlobPlace(blob: 9, position: 0))
        let claimed = ContentHash(of: Array("xyz".utf8))
        for proof in [StagedContent.Proof.known, .streamed] {
            // Streamed, it lacks a chunk that went while it came.
            let chunks =
                proof == .known ? [chunk] : [StagedChunk(hash: chunk.hash, length: chunk.length)]
            await #expect(throws: StoreError.overtaken) {
                try await fixture.change { transaction, domain in
                    try transaction.note(blob: 9, size: 3)
                    return try transaction.replaceContent(
                        of: id,
                        with: StagedContent(hash: claimed, size: 3, chunks: chunks, proof: proof),
                        condition: .any, in: domain)
                }
            }
        }
        #expect(try fixture.text(id) == "one")
        #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM content") } == 1)
    }

    @Test("in chunks needs each of them, and all of the size")
    func chunks() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let parts = ["abc", "de"].map { text in
            StagedChunk(
                hash: ContentHash(of: Array(text.utf8)), length: text.utf8.count,
                place: BlobPlace(blob: 9, position: text == "abc" ? 0 : 3))
        }
        let hash = ContentHash(of: Array("abcde".utf8))
        let bare = parts.map { StagedChunk(hash: $0.hash, length: $0.length) }
        func write(_ content: StagedContent) async throws {
            _ = try await fixture.change { transaction, domain in
                try transaction.note(blob: 9, size: 5)
                return try transaction.replaceContent(
                    of: id, with: content, condition: .any, in: domain)
            }
        }
        await #expect(throws: StoreError.chunksMissing([parts[0].hash.hex])) {
            try await write(StagedContent(hash: hash, size: 5, chunks: bare, proof: .read))
        }
        await #expect(throws: StoreError.self) {
            try await write(StagedContent(hash: hash, size: 6, chunks: parts, proof: .read))
        }
        #expect(try fixture.text(id) == "one")
        try await write(StagedContent(hash: hash, size: 5, chunks: parts, proof: .read))
        // Now the domain has the chunks: a delta need not send them.
        let reversed = ContentHash(of: Array("deabc".utf8))
        try await write(
            StagedContent(hash: reversed, size: 5, chunks: bare.reversed(), proof: .read))
        let content = try #require(try fixture.item(id).content)
        let stored = try fixture.store.read { try $0.storedContent(content, from: 1, length: 3) }
        guard case .extents(let extents) = stored else {
            Issue.record("it is not in chunks")
            return
        }
        #expect(extents.map(\.place.position) == [4, 0])
        #expect(extents.map(\.length) == [1, 2])
    }

    @Test(
        "can be read in any range",
        arguments: [
            (Int64(0), Int64.max, "hello"), (1, 3, "ell"), (5, 1, ""), (4, .max, "o"),
            (.max, .max, ""), (.max, 1, ""), (0, 0, ""),
        ])
    func ranges(start: Int64, length: Int64, text: String) async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "hello")
        let content = try #require(try fixture.item(id).content)
        let stored = try fixture.store.read {
            try $0.storedContent(content, from: start, length: length)
        }
        guard case .inline(let bytes) = stored else {
            Issue.record("it is not inline")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
