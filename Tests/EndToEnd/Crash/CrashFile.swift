import BasketContent

/// What a writer knows of one of its files.
struct CrashFile: Sendable {
    /// What whoever lists the domain sees of a file: all that must be as it was acknowledged.
    struct Look: Sendable, Equatable {
        var name: String
        var parent: String
        var hash: String
        var tag: String?
        var note: String?
        var conflicts = 0

        init(name: String, parent: String, hash: ContentHash) {
            (self.name, self.parent, self.hash) = (name, parent, hash.hex)
        }

        /// An item as the server tells it; nil for what has no content.
        init?(_ item: JSON) {
            guard let name = item["name"].string, let parent = item["parent"].string,
                let hash = item["sha256"].string
            else { return nil }
            (self.name, self.parent, self.hash) = (name, parent, hash)
            tag = item["tags"][0].string
            note = item["xattrs"]["user.note"].string
            conflicts = item["conflicts"].integer ?? 0
        }
    }

    /// A name begins with what stays when the file is renamed.
    static func key(of name: String) -> String {
        String(name.prefix { $0 != "." })
    }

    var look: Look
    /// Its identifier, once an answer or a listing has told it.
    var id: String?
    /// The present content's version, once it is known.
    var version: String?
    /// Versions of contents that the file had, by their hashes: all of them must stay.
    var earlier: [String: String] = [:]
    /// Whether its bytes were read since it was last written.
    var isVerified = false

    init(_ look: Look) {
        self.look = look
    }

    /// Takes the item that an answer or a listing told as the present one.
    mutating func learn(_ item: JSON) {
        id = item["id"].string ?? id
        guard let hash = item["sha256"].string, let now = item["contentVersion"].string else {
            return
        }
        version = now
        earlier[hash] = now
    }
}
