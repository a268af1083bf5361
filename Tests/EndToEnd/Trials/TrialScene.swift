import Glibc

/// A server, a machine with a folder of its domain, and a folder beside it of which the server hears nothing.
struct TrialScene {
    let server: ServerProcess
    let laptop: Laptop
    /// The domain's.
    let folder: String
    private let owned: TemporaryFolder

    /// The folder of the disk.
    var aside: String { owned.path }

    static func play(_ body: (TrialScene) throws -> Void) throws {
        // Always at one port, so that it is found again after it was away.
        let server = try ServerProcess(["--listen", "127.0.0.1:\(try FreePort.find())"])
        defer { server.kill() }
        let laptop = try Laptop("laptop")
        let scene = TrialScene(
            server: server, laptop: laptop, folder: try laptop.connect("Work", to: server),
            owned: try TemporaryFolder())
        try body(scene)
    }

    /// One more machine, with its folder of the same domain.
    func another() throws -> (laptop: Laptop, folder: String) {
        let laptop = try Laptop("another")
        return (laptop, try laptop.connect("Work", to: server))
    }

    /// Runs a script in the domain's folder, or another one; the folder beside it is `$aside`.
    @discardableResult
    func shell(
        _ script: String, in other: String? = nil, upTo limit: Duration = .seconds(1200)
    ) throws -> String {
        try Laptop.shell(
            "aside='\(aside)'; export HOME=$aside TERM=xterm; \(script)", in: other ?? folder,
            upTo: limit)
    }

    /// Until everything is on both sides. What was removed was meant to be, however much it is.
    /// - Returns: whether that had to be said.
    @discardableResult
    func settle(_ other: Laptop? = nil, upTo limit: Duration = .seconds(1200)) throws -> Bool {
        let laptop = other ?? self.laptop
        var wasAsked = false
        let isDone = try Patience.until(upTo: limit) {
            let (ending, _, errors) = try laptop.basket(["wait", "Work"], upTo: limit)
            if ending == .exit(0) { return true }
            guard try !laptop.expect("removals", "Work").isEmpty else {
                throw Failure("waiting ends with \(ending.map { "\($0)" } ?? "nothing"): \(errors)")
            }
            wasAsked = true
            try laptop.expect("removals", "Work", "--apply")
            return false
        }
        guard isDone else { throw Failure("the removals have no end") }
        return wasAsked
    }

    /// The server's word on what is at a path.
    func item(at path: String) throws -> JSON {
        var item: JSON = ["id": "root"]
        for name in path.split(separator: "/") {
            guard
                let found = try children(of: item["id"].string ?? "").first(where: {
                    $0["name"].string == String(name)
                })
            else { throw Failure("the server has no \(path)") }
            item = found
        }
        return item
    }

    /// All that is in a folder on the server; `trash` is one.
    func children(of id: String) throws -> [JSON] {
        let caller = server.caller()
        var items: [JSON] = []
        var cursor: String?
        repeat {
            let more = cursor.map { "&cursor=\($0)" } ?? ""
            let page = try caller.expect(
                200,
                try caller.get("/v1/domains/Work/items/\(id)/children?limit=1000\(more)"))
            items += page["items"].array
            cursor = page["next"].string
        } while cursor != nil
        return items
    }

    /// How many contents of a file the server has.
    func versionCount(of item: JSON) throws -> Int {
        let caller = server.caller()
        let id = item["id"].string ?? ""
        return try caller.expect(200, try caller.get("/v1/domains/Work/items/\(id)/versions"))[
            "versions"
        ].array.count
    }
}
