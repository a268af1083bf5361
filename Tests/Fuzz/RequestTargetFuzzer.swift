import BasketHTTP

/// What stands in a request's first line: every byte of what was decoded can be encoded, and says the
/// same then.
enum RequestTargetFuzzer: Fuzzer {
    static let name = "request-target"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let target = try? RequestTarget(bytes[...]) else { return }  // Refused, in words.
        guard !target.path.isEmpty else { return }  // OPTIONS *
        guard !target.path.contains(where: { $0.utf8.contains(0) }) else {
            throw FuzzFinding("a path holds a NUL")
        }
        let path = target.path.map { "/" + encoded($0) }.joined()
        let query = target.query.map { "\(encoded($0.name))=\(encoded($0.value))" }
        let text = path + "?" + query.joined(separator: "&")
        guard let again = try? RequestTarget(Array(text.utf8)[...]), isSame(again, target) else {
            throw FuzzFinding("'\(text)' is another target than the one it was written from")
        }
        guard let plain = try? RequestTarget(Array(target.rawPath.utf8)[...]),
            isSame(plain.path, target.path), plain.query.isEmpty
        else { throw FuzzFinding("'\(target.rawPath)' is not the path that it stands for") }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    private static func isSame(_ left: RequestTarget, _ right: RequestTarget) -> Bool {
        isSame(left.path, right.path)
            && isSame(left.query.map(\.name), right.query.map(\.name))
            && isSame(left.query.map(\.value), right.query.map(\.value))
    }

    /// By bytes: strings are equal also when they only look the same.
    private static func isSame(_ left: [String], _ right: [String]) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }
}
