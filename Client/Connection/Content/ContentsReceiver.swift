import BasketContent
import BasketModels

/// Takes apart what brings many small contents, over any number of connections.
package final class ContentsReceiver {
    /// What became of one of those that were asked for.
    package typealias Outcome = Result<SmallContent, ConnectionError>

    /// An item with all the attributes that it may have stays below this.
    private static let longestHead = 4 << 20
    /// What a server may send of one in this way is far less.
    private static let longestContent: Int64 = 1 << 20

    /// So many in a row may make no sense.
    private static let mostPassed = 3

    private let wanted: [ContentsRequest.Wanted]
    private var passed = 0
    private var lastPassed = -1
    /// How many of them have come, or will not come.
    package private(set) var count = 0
    /// What has come of a head, or of a content and the end of the line behind it.
    private var pending: [UInt8] = []
    /// Of the content that comes; nil while a head does.
    private var head: ContentHead?

    package init(_ wanted: [ContentsRequest.Wanted]) {
        self.wanted = wanted
    }

    package var isComplete: Bool { count == wanted.count }

    /// Of the one that comes now nobody can make sense, nor of what is behind it over this connection.
    /// - Returns: its place; nil when there are too many of that kind, one after another: then it is the server.
    func pass() -> Int? {
        if lastPassed != count - 1 { passed = 0 }
        guard !isComplete, passed < Self.mostPassed else { return nil }
        passed += 1
        lastPassed = count
        count += 1
        return count - 1
    }

    /// What is to be asked for over the next connection.
    func beginConnection() -> [ContentsRequest.Wanted] {
        pending = []
        head = nil
        return Array(wanted[count...])
    }

    /// The next one that ends in these bytes, with its place among those that were asked for.
    /// - Parameter rest: what is not taken yet; empty when nothing more ends in it.
    package func next(
        in rest: inout ArraySlice<UInt8>
    ) throws(ConnectionError) -> (place: Int, outcome: Outcome)? {
        while !rest.isEmpty {
            var outcome: Outcome?
            if let head {
                outcome = try takeContent(head, &rest)
            } else if let problem = try takeHead(&rest) {
                outcome = .failure(.problem(problem))
            }
            guard let outcome else { continue }
            count += 1
            return (count - 1, outcome)
        }
        return nil
    }

    /// - Returns: why there is no content, once that is known.
    private func takeHead(
        _ rest: inout ArraySlice<UInt8>
    ) throws(ConnectionError) -> ServerProblem? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        pending += rest[..<(end ?? rest.endIndex)]
        rest = end.map { rest[($0 + 1)...] } ?? []
        guard pending.count <= Self.longestHead else { throw .badAnswer("a line has no end") }
        guard end != nil else { return nil }
        guard !isComplete else { throw .badAnswer("there are more contents than asked for") }
        let head = try AnswerReader.read(ContentHead.self, pending)
        pending = []
        if let problem = head.problem { return problem }
        guard head.item?.id == wanted[count].item else {
            throw .badAnswer("a content is another item's than the one asked for")
        }
        guard let version = head.version, [nil, version].contains(wanted[count].version) else {
            throw .badAnswer("the content is another version than the one asked for")
        }
        guard let size = head.size, (0...Self.longestContent).contains(size) else {
            throw .badAnswer("a content that comes with others has no such length")
        }
        self.head = head
        return nil
    }

    private func takeContent(
        _ head: ContentHead, _ rest: inout ArraySlice<UInt8>
    ) throws(ConnectionError) -> Outcome? {
        let length = Int(head.size ?? 0) + 1
        let part = rest.prefix(length - pending.count)
        pending += part
        rest = rest.dropFirst(part.count)
        guard pending.count == length else { return nil }
        guard pending.popLast() == UInt8(ascii: "\n"), let item = head.item,
            let version = head.version
        else { throw .badAnswer("a content does not end where its head says") }
        let content = SmallContent(item: item, version: version, bytes: pending)
        pending = []
        self.head = nil
        let hash = head.sha256 ?? (item.contentVersion == version ? item.sha256 : nil)
        guard hash == nil || hash == ContentHash(of: content.bytes) else {
            // The others are what they are.
            return .failure(
                .badAnswer("the content's bytes are not those that its hash names"))
        }
        return .success(content)
    }
}
