import FileProviderHost
import Foundation

extension Device {
    /// What its host answers to a request: the last line of that.
    func ask<Answer: Codable & Sendable>(
        _ request: ControlRequest, as type: Answer.Type = Answer.self, of desk: ControlDesk? = nil
    ) async throws -> Answer {
        let lines = try await lines(request, of: desk)
        let last = try JSONDecoder().decode(
            ControlReply<Answer>.self, from: lines.last ?? Data())
        if let error = last.error { throw error }
        guard let answer = last.answer else { throw Unanswered() }
        return answer
    }

    /// All lines of an answer.
    func lines(_ request: ControlRequest, of desk: ControlDesk? = nil) async throws -> [Data] {
        let desk = desk ?? ControlDesk(host)
        let bytes = await desk.answer(try request.line)
        return bytes.split(separator: 0x0A).map { Data($0) }
    }

    func request(
        _ ask: ControlCommand, _ paths: String..., change: (inout ControlRequest) -> Void = { _ in }
    ) -> ControlRequest {
        var request = ControlRequest(ask, items: paths.map { ControlItem(path: $0) })
        if paths.isEmpty { request.items = nil }
        change(&request)
        return request
    }

    struct Unanswered: Error {}
}
