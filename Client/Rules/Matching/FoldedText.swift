import BasketSupport
@_spi(_Unicode) import Swift

/// A text as rules compare it: both Unicode forms of a letter are the same, and so are cases and
/// letters with and without marks where the rule says so.
struct FoldedText: Equatable, Sendable {
    /// UTF-8, composed.
    let bytes: [UInt8]

    init(_ text: String, _ options: TextOptions = []) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        if isASCII, !options.contains(.ignoringCase) {
            bytes = Array(text.utf8)
            return
        }
        var text = text
        if !isASCII, options.contains(.ignoringMarks) {
            text = Self.string(
                text._nfd.filter { $0.properties.generalCategory != .nonspacingMark })
        }
        if options.contains(.ignoringCase) {
            bytes = CaseRule.portable.collisionKey(of: text)
        } else {
            bytes = Array(Self.string(text._nfc).utf8)
        }
    }

    var scalars: [Unicode.Scalar] {
        Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    /// In the time of both lengths together, whatever repeats in them (Knuth, Morris and Pratt).
    func contains(_ other: FoldedText) -> Bool {
        let wanted = other.bytes
        guard !wanted.isEmpty else { return true }
        guard wanted.count <= bytes.count else { return false }
        // How much of the beginning is matched still when the next byte is not the wanted one.
        var fallback = [0]
        var matched = 0
        for byte in wanted.dropFirst() {
            while matched > 0, wanted[matched] != byte { matched = fallback[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            fallback.append(matched)
        }
        matched = 0
        for byte in bytes {
            while matched > 0, wanted[matched] != byte { matched = fallback[matched - 1] }
            if wanted[matched] == byte { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }

    func begins(with other: FoldedText) -> Bool {
        bytes.starts(with: other.bytes)
    }

    func ends(with other: FoldedText) -> Bool {
        bytes.reversed().starts(with: other.bytes.reversed())
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
