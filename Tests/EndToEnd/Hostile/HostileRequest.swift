import TestSupport
import Testing

/// A request that must be refused, and how.
struct HostileRequest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "POST"
    /// Below the domain; `FILE` and `FOLDER` stand for what is there.
    var path = "/items"
    var headers = ["Content-Type": "application/json"]
    var body: [UInt8] = []
    let status: Int
    let code: String

    init(
        _ description: String, _ method: String = "POST", _ path: String = "/items",
        headers: [String: String] = ["Content-Type": "application/json"], body: String = "",
        as status: Int, _ code: String
    ) {
        testDescription = description
        (self.method, self.path, self.headers) = (method, path, headers)
        (self.body, self.status, self.code) = (Array(body.utf8), status, code)
    }

    init(_ description: String, bytes: [UInt8], as status: Int, _ code: String) {
        testDescription = description
        (body, self.status, self.code) = (bytes, status, code)
    }

    /// Sends it, and expects its own clear answer, and that nothing has changed afterwards.
    func expectRefusal() throws {
        let scene = try Stage.scene
        let caller = scene.server.caller()
        let before = try caller.anchor(of: "Target")
        let path = (self.path.hasPrefix("/v1") ? self.path : Stage.Scene.domain + self.path)
            .replacing("FILE", with: scene.file).replacing("FOLDER", with: scene.folder)

        let body = String(decoding: self.body, as: UTF8.self)
            .replacing("FILE", with: scene.file).replacing("FOLDER", with: scene.folder)
        // Bytes that are no text are sent as they are.
        let isText = Array(String(decoding: self.body, as: UTF8.self).utf8) == self.body

        let answer = try caller.call(
            method, path, body: isText ? Array(body.utf8) : self.body, headers: headers)

        let shown = "\(answer.status) \(answer.text.prefix(300))"
        #expect(answer.status == status, "\(shown)")
        if method != "HEAD" {
            #expect(answer.code == code, "\(shown)")
            #expect(answer.isWellFormed, "\(shown)")
        }
        #expect(try caller.anchor(of: "Target") == before)
    }
}
