import BasketHTTP
import BasketModels

/// An answer that tells what went wrong: an RFC 9457 problem document. The code is for programs and
/// never changes; the sentences are for people and may.
package struct Problem: Error, Sendable {
    package let status: Int
    let code: String
    let title: String
    var detail: String?
    /// The field or the parameter that is at fault.
    var field: String?
    /// The item that the problem is about, as it is now.
    var item: [UInt8]?
    /// Further members, by name.
    var members: [(name: String, value: ProblemValue)] = []
    var headers: HTTPHeaders = [:]

    init(_ status: Int, _ code: String, _ title: String, detail: String? = nil) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
    }

    func with(field: String) -> Problem {
        var copy = self
        copy.field = field
        return copy
    }

    func with(_ name: String, _ value: ProblemValue) -> Problem {
        var copy = self
        copy.members.append((name, value))
        return copy
    }

    func with(header: String, _ value: String) -> Problem {
        var copy = self
        copy.headers[header] = value
        return copy
    }

    /// The document. `id` names the request, so that a person can report it.
    func response(id: String) -> HTTPResponse {
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        headers["Cache-Control"] = "no-store"
        return HTTPResponse(status: status, headers: headers, body: .bytes(body(id: id)))
    }

    func body(id: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { write(to: &$0, id: id) }
        writer.endLine()
        return writer.bytes
    }

    func write(to writer: inout JSONWriter, id: String?) {
        writer.key("type")
        writer.string("urn:basket:problem:" + code)
        writer.key("title")
        writer.string(title)
        writer.key("status")
        writer.number(status)
        writer.key("code")
        writer.string(code)
        if let detail {
            writer.key("detail")
            writer.string(detail)
        }
        if let field {
            writer.key("field")
            writer.string(field)
        }
        for member in members {
            writer.key(text: member.name)
            member.value.write(to: &writer)
        }
        if let item {
            writer.key("item")
            writer.json(item)
        }
        if let id {
            writer.key("requestId")
            writer.string(id)
        }
    }
}
