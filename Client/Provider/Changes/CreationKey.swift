import BasketContent
import BasketModels
import BasketSupport
import FileProvider

/// Names a creation so that it is done once, however often it is asked for: also by an instance that knows
/// nothing of the one before, which died without an answer.
struct CreationKey: Sendable {
    let text: String

    /// For a template of the system's. Its identifier is the same again when it is replayed; the other parts
    /// keep templates of another replica, or of another life of this one, apart.
    init(replica: String, domain: String, _ template: ItemTemplate) {
        self.init([
            "create", replica, domain, template.identifier.rawValue, template.kind.word,
            template.created.map { "\($0.nanoseconds)" } ?? "",
        ])
    }

    /// For the copy of a content that lost a race: one for each version that somebody here wrote over, or one
    /// for each content.
    init(
        replica: String, domain: String, conflict item: String, base: Version?, _ hash: ContentHash?
    ) {
        self.init([
            "conflict", replica, domain, item, base?.description ?? "", hash?.hex ?? "",
        ])
    }

    private init(_ parts: [String]) {
        var hasher = SHA256()
        for part in parts { hasher.update(Array(part.utf8) + [0]) }
        text = Base64.encode(Array(hasher.finish().bytes.prefix(24)), .url)
    }
}
