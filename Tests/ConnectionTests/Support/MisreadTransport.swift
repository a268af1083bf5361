import BasketConnection
import BasketContent
import BasketModels
import Foundation
import Synchronization

/// A server that gives many contents at once, and of some a head that nobody can read.
final class MisreadTransport: Transport {
    private let bad: Set<String>
    private let asked = Mutex<[[String]]>([])

    init(_ bad: Set<String>) {
        self.bad = bad
    }

    /// What was asked for, request by request.
    var requests: [[String]] { asked.withLock { $0 } }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        let head = TransportResponse(
            status: 200, headers: [.init(name: "content-type", value: ContentHead.mediaType)])
        do {
            let body = try request.body.read(at: 0, upTo: Int(request.body.length))
            let names = try JSONDecoder().decode(ContentsRequest.self, from: Data(body))
                .contents.map(\.item)
            asked.withLock { $0.append(names) }
            for name in names { try await consumer(head, answer(name)) }
        } catch {
            throw .consumer(error)
        }
        return head
    }

    private func answer(_ name: String) -> [UInt8] {
        guard !bad.contains(name) else { return Array("nonsense\nand bytes\n".utf8) }
        let version = "1xc5ysc7z9b4"
        let item =
            #"{"id":"\#(name)","name":"a","kind":"file","contentVersion":"\#(version)","metadataVersion":"\#(version)"}"#
        let head = #"{"item":\#(item),"version":"\#(version)","size":\#(name.utf8.count)}"#
        return Array((head + "\n" + name + "\n").utf8)
    }
}
