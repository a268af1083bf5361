/// What a client that follows a domain's changes knows of it.
struct Tree: Sendable {
    private let domain: String
    private let anchor: String
    /// Items by their identifiers, as they were told; without the number of a folder's children,
    /// which follows from them, and changes without a change of the folder.
    private let items: [String: JSON]

    /// A first listing.
    init(of caller: Caller, domain: String = "Work") throws {
        try self.init(caller, domain, since: nil, [:])
    }

    private init(
        _ caller: Caller, _ domain: String, since start: String?, _ known: [String: JSON]
    ) throws {
        var items = known
        var anchor = start
        var hasMore = true
        while hasMore {
            let query = "limit=100" + (anchor.map { "&since=\($0)" } ?? "")
            let page = try caller.expect(
                200, try caller.get("/v1/domains/\(domain)/changes?\(query)"))
            for item in page["items"].array {
                guard let id = item["id"].string else { throw Failure("no id: \(item.text)") }
                items[id] = item["deleted"] == .null ? item.without("children") : nil
            }
            anchor = page["anchor"].string
            hasMore = page["more"].bool ?? false
        }
        guard let anchor else { throw Failure("no anchor") }
        (self.domain, self.anchor, self.items) = (domain, anchor, items)
    }

    /// All files by what their names begin with, which only one of them may have.
    func filesByKey() throws -> [String: JSON] {
        var files: [String: JSON] = [:]
        for item in items.values where item["kind"] == "file" {
            let key = CrashFile.key(of: item["name"].string ?? "")
            if let other = files.updateValue(item, forKey: key) {
                throw Failure("there are two: \(other.text) and \(item.text)")
            }
        }
        return files
    }

    /// Whoever knew this tree and follows the changes must come to the present one.
    func verifyReplay(to present: Tree, _ caller: Caller) throws {
        let replayed = try Tree(caller, domain, since: anchor, items)
        guard replayed.items == present.items else {
            let missing = Set(present.items.keys).subtracting(replayed.items.keys)
            let extra = Set(replayed.items.keys).subtracting(present.items.keys)
            let other = present.items.filter {
                replayed.items[$0] != nil && replayed.items[$0] != $1
            }
            throw Failure(
                """
                the feed leads elsewhere: without \(missing), with \(extra), and differs in \
                \(other.map { "\(replayed.items[$0]?.text ?? "") for \($1.text)" })
                """)
        }
    }
}
