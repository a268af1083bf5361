import BasketAPI
import BasketModels
import FoundationEssentials

/// The bodies of requests: each is read and says the same when it is written, or is refused as the
/// sender's mistake.
enum RequestJSONFuzzer: Fuzzer {
    static let name = "request-json"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        try check(bytes, as: BatchRequest.self)
        try check(bytes, as: ChangeAccountRequest.self)
        try check(bytes, as: ChangeDomainRequest.self)
        try check(bytes, as: ChangeItemRequest.self)
        try check(bytes, as: ContentFromManifestRequest.self)
        try check(bytes, as: CreateAccountRequest.self)
        try check(bytes, as: CreateDomainRequest.self)
        try check(bytes, as: CreateItemRequest.self)
        try check(bytes, as: LockRequest.self)
        try check(bytes, as: LogInRequest.self)
        try check(bytes, as: MemberRequest.self)
        try check(bytes, as: MissingChunksRequest.self)
        try check(bytes, as: ResolveConflictsRequest.self)
        try check(bytes, as: RestoreRequest.self)
        try check(bytes, as: RestoreVersionRequest.self)
        try check(bytes, as: TrashRequest.self)
        try check(bytes, as: UndeleteRequest.self)
    }

    private static func check<Value: Codable>(
        _ bytes: [UInt8], as type: Value.Type
    ) throws(FuzzFinding) {
        let value: Value
        do {
            value = try Call.decode(type, bytes)
        } catch let problem as Problem where [400, 422].contains(problem.status) {
            return
        } catch {
            throw FuzzFinding("a \(type) is refused with \(error)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let written = try? encoder.encode(value),
            let again = try? Call.decode(type, Array(written)),
            let twice = try? encoder.encode(again), written == twice
        else { throw FuzzFinding("a \(type) says something else when it is written") }
    }
}
