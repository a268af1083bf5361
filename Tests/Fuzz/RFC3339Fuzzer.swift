import BasketSupport

/// Dates on the wire: what is read can be written, and is then read as the same moment.
enum RFC3339Fuzzer: Fuzzer {
    static let name = "rfc3339"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let moment = Timestamp(rfc3339: text) else { return }
        guard Timestamp(rfc3339: moment.rfc3339) == moment else {
            throw FuzzFinding("'\(text)' is read, written and read as another moment")
        }
        // A date has one form but for its separators, its fraction and its offset.
        guard text.utf8.count >= 20, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw FuzzFinding("'\(text)' is taken for a date")
        }
    }
}
