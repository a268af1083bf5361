/// What a writer asks for, and what comes of it: all of it or nothing. Sent again after a crash, it
/// must do nothing twice.
struct CrashRequest: Sendable {
    var method: String
    var path: String
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the writer's other device sends it.
    var isByOther = false
    /// The upload that it ends; when that began long ago, its chunks may be gone.
    var upload: CrashUpload?
    /// The files that it changes, by their keys.
    var looks: [String: CrashFile.Look]
    /// The key of a file that is not there afterwards.
    var gone: String?
    /// A content that does not become the present one: it is kept all the same.
    var kept: (key: String, hash: String)?

    var isLate: Bool { upload?.isOld ?? false }

    init(
        _ method: String, _ path: String, json: JSON? = nil, body: [UInt8] = [],
        _ looks: [String: CrashFile.Look], gone: String? = nil
    ) {
        (self.method, self.path, self.looks, self.gone) = (method, path, looks, gone)
        self.body = json.map { Array($0.text.utf8) } ?? body
        if json != nil { headers["Content-Type"] = "application/json" }
    }
}
