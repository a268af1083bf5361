import BasketAPI
import BasketContent
import BasketModels
import BasketStore

/// Identifiers, anchors and cursors, which clients keep and send back: each has one spelling.
enum IdentifierFuzzer: Fuzzer {
    static let name = "identifier"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, ItemID(text)?.description, "identifier")
        try check(text, Anchor(text)?.description, "anchor")
        try check(text, ListCursor(text)?.text, "cursor")
        try check(text, Int64(base32: text)?.base32, "number")
        if let anchor = Anchor(text), anchor.rank < 0 || anchor.epoch < 1 {
            throw FuzzFinding("'\(text)' is an anchor before the beginning")
        }
        let event = EventID(text)
        guard EventID(event.text) == event else {
            throw FuzzFinding("the event '\(text)' is written as '\(event.text)'")
        }
    }

    private static func check(
        _ text: String, _ again: String?, _ kind: String
    ) throws(FuzzFinding) {
        guard again.map({ $0.utf8.elementsEqual(text.utf8) }) ?? true else {
            throw FuzzFinding("the \(kind) '\(text)' is written as '\(again ?? "")'")
        }
    }
}
