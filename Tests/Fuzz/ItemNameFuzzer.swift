import BasketDatabase
import BasketHTTP
import BasketModels
import BasketSupport
import FoundationEssentials
import Synchronization

/// Names of items: one that a domain takes comes back from JSON, from the database and from a path
/// byte for byte, and so do those that are made from it.
enum ItemNameFuzzer: Fuzzer {
    static let name = "item-name"

    /// What a key may come to, as listings that go backwards rely on.
    private static let longestKey = CaseRule.longestName * 3

    /// Opened once, and only used under its lock. An unusable one is a finding.
    private static let database = Mutex(try? Connection(path: ":memory:", mode: .writer))

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let name = String(decoding: bytes, as: UTF8.self)
        for rule in CaseRule.allCases where rule.problem(with: name) == nil {
            try checkKey(of: name, rule)
            let bounced = BouncedName(name)
            let made =
                (0..<3).map(bounced.candidate)
                + [ConflictName(name, origin: name, day: "2026-11-21", rule: rule).text]
            for other in made where rule.problem(with: other) != nil {
                throw FuzzFinding("'\(other)', made of '\(name)', is refused")
            }
        }
        guard CaseRule.posix.problem(with: name) == nil else { return }
        try check(name, fromJSON(name), "JSON")
        try check(name, fromDatabase(name), "the database")
        try check(name, fromPath(name), "a path")
    }

    private static func checkKey(of name: String, _ rule: CaseRule) throws(FuzzFinding) {
        let key = rule.collisionKey(of: name)
        guard (1...longestKey).contains(key.count) else {
            throw FuzzFinding("'\(name)' has a key of \(key.count) bytes")
        }
        guard rule == .portable else { return }
        // Not the name's own upper case: of a text that is in no normal form, such as a subscript iota
        // before another mark, that is another text.
        let folded = String(decoding: key, as: UTF8.self)
        for other in [name.lowercased(), folded, folded.uppercased()]
        where rule.collisionKey(of: other) != key {
            throw FuzzFinding("'\(name)' and '\(other)' do not collide")
        }
    }

    private static func check(
        _ name: String, _ again: String?, _ place: String
    ) throws(FuzzFinding) {
        guard let again, again.utf8.elementsEqual(name.utf8) else {
            throw FuzzFinding("'\(name)' comes back from \(place) as '\(again ?? "nothing")'")
        }
    }

    private static func fromJSON(_ name: String) -> String? {
        var writer = JSONWriter()
        writer.array { $0.string(name) }
        return try? JSONDecoder().decode([String].self, from: Data(writer.bytes)).first
    }

    private static func fromDatabase(_ name: String) -> String? {
        database.withLock { try? $0?.value("SELECT ?", name, of: String.self) }
    }

    private static func fromPath(_ name: String) -> String? {
        let encoded = name.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }
        return try? RequestTarget(Array(("/" + encoded.joined()).utf8)[...]).path.first
    }
}
