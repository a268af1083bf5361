@_spi(_Unicode) import Swift

/// The rules of names, for both sides.
extension CaseRule {
    /// What Linux keeps of a name.
    package static let longestName = 255

    /// Nil for a name that the domain takes.
    package func problem(with name: String) -> NameProblem? {
        if name.isEmpty { return .empty }
        if name.utf8.count > Self.longestName { return .tooLong(limit: Self.longestName) }
        if name == "." || name == ".." { return .reserved }
        if name.utf8.contains(0) { return .forbiddenCharacter("NUL") }
        if name.utf8.contains(UInt8(ascii: "/")) { return .forbiddenCharacter("/") }
        return self == .portable ? portableProblem(with: name) : nil
    }

    private func portableProblem(with name: String) -> NameProblem? {
        for scalar in name.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7f {
                return .forbiddenCharacter("a control character")
            }
            if "<>:\"\\|?*".unicodeScalars.contains(scalar) {
                return .forbiddenCharacter(String(scalar))
            }
        }
        if name.utf8.last == UInt8(ascii: ".") || name.utf8.last == UInt8(ascii: " ") {
            return .endsInDotOrSpace
        }
        // Windows opens a device for these, whatever the extension, and looks past spaces.
        var stem = name.unicodeScalars.prefix { $0 != "." }
        while stem.last == " " { stem.removeLast() }
        if Self.deviceNames.contains(String(stem).uppercased()) { return .reserved }
        return nil
    }

    private static let deviceNames: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
            + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
            + ["¹", "²", "³"].flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Two names collide when their keys are the same. Keys also sort a folder.
    package func collisionKey(of name: String) -> [UInt8] {
        switch self {
        case .posix: Array(name.utf8)
        case .portable: Array(folded(name).utf8)
        }
    }

    /// Case folding by way of upper case, so that `ß` and `SS`, or the two small sigmas, meet; lower
    /// case before it, for the capital `ẞ`, which is its own upper case. Then composed, so that both
    /// Unicode forms of a letter are the same bytes.
    private func folded(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        let lowered = string(name._nfd).lowercased().uppercased().lowercased()
        // Lower-casing knows of final sigmas; a key must not.
        let even = string(lowered.unicodeScalars.map { $0 == "ς" ? "σ" : $0 })
        return string(even._nfc)
    }

    private func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
