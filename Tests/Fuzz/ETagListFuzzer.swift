import BasketHTTP

/// `If-Match` and `If-None-Match`: what is read can be written, and what cannot be read lets no write
/// through.
enum ETagListFuzzer: Fuzzer {
    static let name = "etag-list"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let list = HTTPETagList([text])
        switch list {
        case nil: break
        case .any:
            guard text.utf8.contains(UInt8(ascii: "*")) else {
                throw FuzzFinding("'\(text)' is taken for *")
            }
        case .tags(let tags):
            let again = HTTPETagList(tags.map(\.description))
            guard !tags.isEmpty, again == list else {
                throw FuzzFinding("\(tags) are other tags when they are written")
            }
        }
        try checkConditions(text, list)
    }

    private static func checkConditions(
        _ text: String, _ list: HTTPETagList?
    ) throws(FuzzFinding) {
        let present = HTTPETag("present")
        let write = HTTPConditions(["If-Match": text])
            .verdict(etag: present, modified: nil, isRead: false)
        let isNamed =
            switch list {
            case nil: false
            case .any: true
            case .tags(let tags): tags.contains(present)
            }
        guard write == (isNamed ? .proceed : .failed) else {
            throw FuzzFinding("If-Match: \(text) is answered with \(write)")
        }
    }
}
