import BasketConnection
import BasketModels
import Foundation

/// What servers answer: each kind of answer is read, or refused in words; lines of changes are the same
/// in pieces of any size.
enum AnswerJSONFuzzer: Fuzzer {
    static let name = "answer-json"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        try check(ItemInfo.self, bytes)
        try check(ItemAnswer.self, bytes)
        try check(ContentAnswer.self, bytes)
        try check(ConflictAnswer.self, bytes)
        try check(ChildrenPage.self, bytes)
        try check(ChangePage.self, bytes)
        try check(SearchPage.self, bytes)
        try check(ManifestAnswer.self, bytes)
        try check(ChunksAnswer.self, bytes)
        try check(BatchAnswer.self, bytes)
        try check(ServerInfo.self, bytes)
        try check(SessionAnswer.self, bytes)
        try check(DeviceInfo.self, bytes)
        try check(AccountInfo.self, bytes)
        try check(DomainInfo.self, bytes)
        try check(MemberInfo.self, bytes)
        try check(VersionInfo.self, bytes)
        try check(LockInfo.self, bytes)
        try compare(ChangePage.self, bytes)
        try compare(ItemInfo.self, bytes)
        let head = TransportResponse(
            status: 404,
            headers: [
                TransportResponse.Header(name: "content-type", value: "application/problem+json")
            ])
        switch AnswerReader.refusal(head, bytes) {
        case .problem(let problem) where problem.status == 404: break
        case .badAnswer: break
        case let other: throw FuzzFinding("a refusal is read as \(other)")
        }
        guard lines(bytes, by: max(1, bytes.count)) == lines(bytes, by: 3) else {
            throw FuzzFinding("in pieces the changes are others")
        }
    }

    private static func check<Answer: Decodable>(
        _ type: Answer.Type, _ bytes: [UInt8]
    ) throws(FuzzFinding) {
        do {
            _ = try AnswerReader.read(type, bytes)
        } catch {
            guard case .badAnswer = error else {
                throw FuzzFinding("a \(type) is refused with \(error)")
            }
        }
    }

    /// What is read without the decoder is what that reads.
    private static func compare<Answer: QuicklyRead & Equatable>(
        _ type: Answer.Type, _ bytes: [UInt8]
    ) throws(FuzzFinding) {
        guard let quick = Answer.read(quickly: bytes) else { return }
        guard quick == (try? JSONDecoder().decode(type, from: Data(bytes))) else {
            throw FuzzFinding("a \(type) is read otherwise without the decoder")
        }
    }

    /// The changes until the first line that is refused.
    private static func lines(_ bytes: [UInt8], by size: Int) -> [ItemInfo]? {
        let reader = ChangeLineReader()
        var items: [ItemInfo] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            guard let more = try? reader.take(piece) else { return nil }
            items += more
        }
        return items
    }
}
