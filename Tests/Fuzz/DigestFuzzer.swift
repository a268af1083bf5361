import BasketAPI
import BasketContent
import BasketHTTP

/// `Repr-Digest` and `X-Content-SHA256`: a hash that is announced behind anything is the one found, or
/// the request is refused; it is never passed over.
enum DigestFuzzer: Fuzzer {
    static let name = "digest"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let hash = ContentHash(of: bytes)
        let digest = "sha-256=:\(Base64.encode(hash.bytes, .standard)):"
        _ = try? announced(["X-Content-SHA256": text])
        guard (try? announced(["X-Content-SHA256": hash.hex])) == hash,
            (try? announced(["Repr-Digest": digest])) == hash
        else { throw FuzzFinding("\(hash) is not found") }
        let behind: ContentHash?
        do {
            behind = try announced(["Repr-Digest": "\(text), \(digest)"])
        } catch {
            return  // Something before it is no hash; so nothing is stored.
        }
        guard behind != nil else { throw FuzzFinding("a hash behind '\(text)' is passed over") }
    }

    private static func announced(_ headers: HTTPHeaders) throws -> ContentHash? {
        try ContentIntake.announcedHash(
            HTTPRequest(.put, "/", path: [""], headers: headers, id: "fuzz"))
    }
}
