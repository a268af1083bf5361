import BasketHTTP
import BasketSupport
import Testing

@Suite("A conditional request")
struct ConditionTests {
    static let modified = Timestamp(httpDate: "Sat, 21 Nov 2026 09:30:00 GMT")!

    @Test(
        "is done, or not, by what is there",
        arguments: [
            (["If-Match": "\"3\""], .proceed, .proceed),
            (["If-Match": "\"2\", \"3\""], .proceed, .proceed),
            (["If-Match": "\"2\""], .failed, .failed),
            (["If-Match": "W/\"3\""], .failed, .failed),
            (["If-Match": "*"], .proceed, .proceed),
            (["If-Match": "3"], .failed, .failed),
            (["If-Match": ""], .failed, .failed),
            (["If-None-Match": "\"3\""], .notModified, .failed),
            (["If-None-Match": "W/\"3\""], .notModified, .failed),
            (["If-None-Match": "\"2\" , W/\"3\""], .notModified, .failed),
            (["If-None-Match": "\"2\""], .proceed, .proceed),
            (["If-None-Match": "*"], .notModified, .failed),
            (["If-None-Match": "\"3"], .proceed, .failed),
            (["If-Modified-Since": "Sat, 21 Nov 2026 09:30:00 GMT"], .notModified, .proceed),
            (["If-Modified-Since": "Sat, 21 Nov 2026 09:29:59 GMT"], .proceed, .proceed),
            (["If-Modified-Since": "yesterday"], .proceed, .proceed),
            (["If-Unmodified-Since": "Sat, 21 Nov 2026 09:30:00 GMT"], .proceed, .proceed),
            (["If-Unmodified-Since": "Sat, 21 Nov 2026 09:29:59 GMT"], .failed, .failed),
            (
                ["If-None-Match": "\"2\"", "If-Modified-Since": "Sat, 21 Nov 2026 09:30:00 GMT"],
                .proceed, .proceed
            ),
            (
                ["If-Match": "\"3\"", "If-Unmodified-Since": "Sat, 21 Nov 2020 09:30:00 GMT"],
                .proceed, .proceed
            ),
            ([:], .proceed, .proceed),
        ] as [(HTTPHeaders, HTTPConditions.Verdict, HTTPConditions.Verdict)])
    func present(
        headers: HTTPHeaders, read: HTTPConditions.Verdict, write: HTTPConditions.Verdict
    ) {
        let conditions = HTTPConditions(headers)
        let tag = HTTPETag("3")
        #expect(conditions.verdict(etag: tag, modified: Self.modified, isRead: true) == read)
        #expect(conditions.verdict(etag: tag, modified: Self.modified, isRead: false) == write)
    }

    @Test(
        "is done, or not, when nothing is there",
        arguments: [
            (["If-Match": "*"], .failed), (["If-Match": "\"3\""], .failed),
            (["If-None-Match": "*"], .proceed), (["If-None-Match": "\"3\""], .proceed),
            ([:], .proceed),
        ] as [(HTTPHeaders, HTTPConditions.Verdict)])
    func absent(headers: HTTPHeaders, verdict: HTTPConditions.Verdict) {
        let conditions = HTTPConditions(headers)
        #expect(conditions.verdict(etag: nil, modified: nil, isRead: false) == verdict)
    }

    @Test(
        "reads lists of tags, over several headers, and nothing else",
        arguments: [
            (["\"a\""], .tags([HTTPETag("a")])),
            (["\"a\"", "W/\"b\""], .tags([HTTPETag("a"), HTTPETag("b", isWeak: true)])),
            ([" , \"a,b\" ,, \"\" "], .tags([HTTPETag("a,b"), HTTPETag("")])),
            (["*"], .any), ([" * "], .any),
            (["\"a\" \"b\""], nil), (["a"], nil), (["\"a"], nil), (["w/\"a\""], nil), ([""], nil),
            (["*, \"a\""], nil), (["\"a b\""], nil),
        ] as [([String], HTTPETagList?)])
    func lists(values: [String], list: HTTPETagList?) {
        #expect(HTTPETagList(values) == list)
    }

    @Test("survives whatever stands in its headers", arguments: UInt64(0)..<50)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("\"\"W/*, \tab=-0123456789bytes\u{e9}")
        for _ in 0..<200 {
            let text = String(
                (0..<Int(random.next() % 20)).map { _ in
                    alphabet[Int(random.next() % UInt64(alphabet.count))]
                })
            if case .tags(let tags) = HTTPETagList([text]) {
                // What was read is written so that it reads the same.
                #expect(
                    HTTPETagList([tags.map(\.description).joined(separator: ", ")]) == .tags(tags))
            }
            _ = HTTPConditions(["If-Match": text, "If-None-Match": text])
        }
    }
}
