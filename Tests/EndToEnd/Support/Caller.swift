import TestSupport

/// Somebody who calls the API over one connection that is kept: what curl does, and no more.
final class Caller {
    let port: UInt16
    /// A token; or nothing.
    var token: String?
    private var connection: WireClient?

    init(port: UInt16, token: String? = nil) {
        self.port = port
        self.token = token
    }

    // MARK: Requests

    func get(_ path: String, _ headers: [String: String] = [:]) throws -> WireAnswer {
        try call("GET", path, headers: headers)
    }

    func post(_ path: String, _ json: JSON = [:], _ headers: [String: String] = [:]) throws
        -> WireAnswer
    {
        try call("POST", path, json: json, headers: headers)
    }

    func put(_ path: String, _ body: [UInt8], _ headers: [String: String] = [:]) throws
        -> WireAnswer
    {
        try call("PUT", path, body: body, headers: headers)
    }

    func delete(_ path: String, _ headers: [String: String] = [:]) throws -> WireAnswer {
        try call("DELETE", path, headers: headers)
    }

    func call(
        _ method: String, _ path: String, json: JSON? = nil, body: [UInt8]? = nil,
        headers: [String: String] = [:]
    ) throws -> WireAnswer {
        var headers = headers
        var bytes = body
        if let json {
            bytes = Array(json.text.utf8)
            headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
        }
        let connection = try self.connection ?? WireClient(port: port)
        self.connection = nil
        do {
            try connection.send(head(method, path, headers, length: bytes?.count) + (bytes ?? []))
        } catch {
            // A server that refuses a body closes before it has come; the answer is there to read.
        }
        let answer = try connection.answer(toHead: method == "HEAD")
        if answer[header: "Connection"]?.lowercased() != "close" { self.connection = connection }
        return answer
    }

    /// A request's head, with who asks, and how long its body will be.
    func head(
        _ method: String, _ path: String, _ headers: [String: String] = [:], length: Int? = nil
    ) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        if let token, headers["Authorization"] == nil {
            head += "Authorization: Bearer \(token)\r\n"
        }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let length { head += "Content-Length: \(length)\r\n" }
        return Array((head + "\r\n").utf8)
    }

    // MARK: Steps that many tests begin with

    /// The answer's JSON, which must tell of success.
    @discardableResult
    func expect(_ status: Int, _ answer: WireAnswer) throws -> JSON {
        guard answer.status == status else {
            throw Failure("\(answer.status) instead of \(status): \(answer.text.prefix(500))")
        }
        return answer.body.isEmpty ? .null : answer.json
    }

    func makeDomain(_ name: String, _ more: [String: JSON] = [:]) throws {
        let json = JSON.object(more.merging(["name": .string(name)]) { $1 })
        try expect(201, try post("/v1/domains", json))
    }

    /// A new folder's identifier.
    func makeFolder(_ name: String, in parent: String = "root", of domain: String) throws -> String
    {
        let json: JSON = ["parent": .string(parent), "name": .string(name), "kind": "folder"]
        let answer = try post("/v1/domains/\(domain)/items", json)
        return try identifier(expect(201, answer))
    }

    /// A new file's identifier, put by its path.
    func putFile(_ path: String, _ bytes: [UInt8], of domain: String) throws -> String {
        let answer = try put("/v1/domains/\(domain)/files/\(path)", bytes)
        guard [200, 201].contains(answer.status) else {
            throw Failure("\(answer.status) \(answer.text)")
        }
        return try identifier(answer.json)
    }

    func anchor(of domain: String) throws -> String {
        let json = try expect(200, try get("/v1/domains/\(domain)/anchor"))
        guard let anchor = json["anchor"].string else { throw Failure("no anchor") }
        return anchor
    }

    private func identifier(_ json: JSON) throws -> String {
        guard let id = json["item"]["id"].string else { throw Failure("no item: \(json.text)") }
        return id
    }
}
