import BasketBlobs
import BasketHTTP
import BasketStore
import BasketSupport
import Synchronization
import Testing

@testable import BasketAPI

@Suite("What goes wrong in the server")
struct ProblemTests {
    private struct Bug: Error {}

    @Test(
        "is told as what the client can do about it",
        arguments: [
            (BlobError.insufficientStorage(available: 1, needed: 2), 507, "disk_full"),
            (FileError("write", "/a", code: 28), 507, "disk_full"),
            (BlobError.file(FileError("write", "/a", code: 28)), 507, "disk_full"),
            (HTTPBodyTooLarge(limit: 7), 413, "body_too_large"),
            (HTTPBodyFailure.clientGone, 400, "body_incomplete"),
            (HTTPBodyFailure.tooSlow, 408, "upload_too_slow"),
            (HTTPBodyFailure.stopping, 503, "stopping"),
            (CancellationError(), 503, "stopping"),
            (BlobError.noSuchBlob(BlobID(rawValue: 1)), 500, "internal_error"),
            (FileError("write", "/a", code: 5), 500, "internal_error"),
            (Bug(), 500, "internal_error"),
        ] as [(any Error, Int, String)])
    func errors(error: any Error, status: Int, code: String) {
        let problem = Problem(error, log: .silent)

        #expect(problem.status == status)
        #expect(problem.code == code)
    }

    @Test("is in the log, and not in the answer")
    func hidden() throws {
        let lines = Mutex<[String]>([])
        let log = Log(level: .error) { entry in lines.withLock { $0.append("\(entry.fields)") } }

        let problem = Problem(FileError("write", "/secret/path", code: 5), log: log)

        #expect(lines.withLock { $0.joined() }.contains("/secret/path"))
        #expect(!String(decoding: problem.body(id: "1"), as: UTF8.self).contains("secret"))
    }

    @Test(
        "before anybody looked at what was asked for is told too",
        arguments: [
            (.malformed("x"), 400, "malformed_request"), (.methodUnknown, 501, "method_unknown"),
            (.expectationFailed, 417, "expectation_failed"),
            (.targetTooLong(limit: 9), 414, "target_too_long"),
            (.headersTooLarge(limit: 9), 431, "headers_too_large"),
            (.uploadTooSlow(bytesPerSecond: 9), 408, "upload_too_slow"),
            (.stopping, 503, "stopping"),
        ] as [(HTTPRefusal, Int, String)])
    func refusals(refusal: HTTPRefusal, status: Int, code: String) async throws {
        let server = try await TestServer()

        let answer = try await TestAnswer(server.service.refuse(refusal, id: "7"))

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["requestId"] == "7")
        #expect(APIDescription.shared.complaints(about: answer, to: .get, for: nil) == [])
    }

    @Test("leaves nothing of a body that was cut off", arguments: [1000, 200_000])
    func cutOff(count: Int) async throws {
        let server = try await TestServer()
        let left = Mutex(count)
        let body = HTTPRequestBody(announcedLength: Int64(count * 2)) {
            let size = left.withLock { left in
                defer { left -= min(left, 50_000) }
                return min(left, 50_000)
            }
            guard size > 0 else { throw HTTPBodyFailure.clientGone }
            return patterned(size)
        }
        let token = try #require(try await server.join("admin", device: "x").token)
        let request = HTTPRequest(
            .put, "/v1/domains/Work/files/a", path: ["v1", "domains", "Work", "files", "a"],
            headers: ["Authorization": "Bearer \(token)"], body: body, id: "1")

        let answer = try await TestAnswer(server.service.respond(to: request))

        #expect(answer.code == "body_incomplete")
        #expect(try await server.names() == [])
        #expect(try await server.blobs.list(after: nil, limit: 9) == [])
    }
}
