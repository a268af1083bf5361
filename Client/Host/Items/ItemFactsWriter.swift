import BasketSupport
import FileProvider
import Foundation

/// Writes what a provider says of an item as JSON, keys in order, so that the same facts are the same bytes. By
/// hand: it is done for each item of a listing, and `JSONEncoder` would take longer than all the rest.
struct ItemFactsWriter {
    private var bytes: [UInt8] = []

    /// Nil when nothing is said.
    static func facts(of item: any NSFileProviderItemProtocol) -> [UInt8]? {
        var writer = ItemFactsWriter()
        if let info = item.userInfo.flatMap(\.self), !info.isEmpty { writer.write(info) }
        if let decorating = item as? any NSFileProviderItemDecorating,
            let decorations = decorating.decorations, !decorations.isEmpty
        {
            writer.write(decorations)
        }
        writer.write("isShared", item.isShared)
        writer.write("isSharedByCurrentUser", item.isSharedByCurrentUser)
        writer.write("owner", item.ownerNameComponents.flatMap(\.self))
        writer.write("editor", item.mostRecentEditorNameComponents.flatMap(\.self))
        if let count = item.childItemCount.flatMap(\.self) {
            writer.begin("childItemCount")
            writer.write(count.int64Value)
        }
        guard !writer.bytes.isEmpty else { return nil }
        writer.bytes.append(UInt8(ascii: "}"))
        return writer.bytes
    }

    private mutating func begin(_ key: String) {
        if bytes.isEmpty {
            bytes.reserveCapacity(Self.usualLength)
            bytes.append(UInt8(ascii: "{"))
        } else {
            bytes.append(UInt8(ascii: ","))
        }
        write(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private static let usualLength = 128

    /// What is false for most items needs no place.
    private mutating func write(_ key: String, _ flag: Bool?) {
        guard flag == true else { return }
        begin(key)
        write(true)
    }

    private mutating func write(_ key: String, _ name: PersonNameComponents?) {
        guard let name, let coded = try? JSONEncoder().encode(PersonFacts(name)) else { return }
        begin(key)
        bytes += coded
    }

    private mutating func write(_ decorations: [NSFileProviderItemDecorationIdentifier]) {
        begin("decorations")
        bytes.append(UInt8(ascii: "["))
        for (index, decoration) in decorations.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(decoration.rawValue)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ info: [AnyHashable: Any]) {
        begin("userInfo")
        // Places in the dictionary are sorted rather than what lies there: they are moved more easily.
        var places: [(key: String, index: Dictionary<AnyHashable, Any>.Index)] = []
        places.reserveCapacity(info.count)
        for index in info.indices {
            if let key = info[index].key.base as? String { places.append((key, index)) }
        }
        places.sort { $0.key < $1.key }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (key, index) in places {
            let value = info[index].value
            let start = bytes.count
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            write(key)
            bytes.append(UInt8(ascii: ":"))
            if write(any: value) { isFirst = false } else { bytes.removeSubrange(start...) }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: Values

    /// - Returns: false for what rules know nothing of.
    private mutating func write(any value: Any) -> Bool {
        // The usual ones first: a cast to a protocol takes longer than all the rest.
        let type = type(of: value)
        if type == Bool.self, let flag = value as? Bool {
            write(flag)
            return true
        }
        if type == Int.self, let number = value as? Int {
            write(Int64(number))
            return true
        }
        switch DomainUserInfo.Value(value) {
        case .text(let text): write(text)
        case .integer(let integer): write(integer)
        case .real(let real) where real.isFinite: bytes += "\(real)".utf8
        case .flag(let flag): write(flag)
        case .date(let date):
            bytes += "{\"nanoseconds\":\(Timestamp(date: date).nanoseconds)}".utf8
        default: return false
        }
        return true
    }

    private mutating func write(_ flag: Bool) {
        write(plain: flag ? "true" : "false")
    }

    private mutating func write(plain text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func write(_ integer: Int64) {
        if (0..<10).contains(integer) {
            bytes.append(UInt8(ascii: "0") + UInt8(integer))
        } else {
            write(plain: String(integer))
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if isPlain {
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
