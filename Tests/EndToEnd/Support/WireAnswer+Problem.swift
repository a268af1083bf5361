import TestSupport

extension WireAnswer {
    /// The body as JSON; null when it is none, whose members no test takes for something else.
    var json: JSON { (try? JSON(body)) ?? .null }

    /// The problem's code.
    var code: String? { json["code"].string }

    /// Whether it is a success, or a problem document that is complete and tells the same status.
    var isWellFormed: Bool {
        if status < 400 { return true }
        return self[header: "Content-Type"] == "application/problem+json" && code != nil
            && json["status"].integer == status && json["title"].string != nil
            && json["type"].string == code.map { "urn:basket:problem:" + $0 }
    }
}
