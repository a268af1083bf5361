import BasketContent
import BasketHTTP
import BasketModels
import BasketStore

/// A part of a list whose entries are in the order of something that each has alone: its name, or its
/// version. The cursor that leads to the next part is that of the last entry.
struct ListPage {
    static let longest = 1000

    /// The last entry of the page before; empty for the first page.
    let after: String
    private let limit: Int

    init(_ call: Call) throws(Problem) {
        limit = try call.number("limit", in: 1...Self.longest, default: 200)
        guard let cursor = call.request.queryValue("cursor") else {
            after = ""
            return
        }
        guard let bytes = Base64.decode(cursor, .url),
            let name = String(validating: bytes, as: UTF8.self), !name.isEmpty
        else { throw Problem(StoreError.cursorExpired) }
        after = name
    }

    /// How many entries to look for: one more tells whether others follow.
    var wanted: Int { limit + 1 }

    /// Writes the entries, and where the next page begins.
    ///
    /// - Parameter found: no more than were wanted.
    func write<Entry>(
        _ key: StaticString, _ found: [Entry], by name: (Entry) -> String,
        to writer: inout JSONWriter, _ body: (Entry, inout JSONWriter) -> Void
    ) {
        let page = found.prefix(limit)
        writer.key(key)
        writer.array { writer in
            for entry in page { writer.object { body(entry, &$0) } }
        }
        if found.count > page.count, let last = page.last {
            writer.key("next")
            writer.string(Base64.encode(Array(name(last).utf8), .url))
        }
    }
}
