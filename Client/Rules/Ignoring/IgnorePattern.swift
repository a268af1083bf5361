import BasketSupport

/// One line of an ignore list, ready to be compared with names or with paths.
///
/// This and what holds it are classes, since a name passes by dozens of them, and copies would cost
/// more than the comparisons.
final class IgnorePattern: Sendable {
    /// As it stands in the list, without the blanks around.
    let text: String
    let line: Int
    /// Begins with `!`: what it finds is kept, whatever stands before it.
    let lifts: Bool
    /// Ends in `/`.
    let isForFolders: Bool
    /// Has a `/` elsewhere, and is held against the path from the list's folder.
    let isPath: Bool
    /// What every text that it finds begins and ends with.
    let prefix: [UInt8]
    let suffix: [UInt8]
    /// The bytes that every text that it finds holds somewhere.
    let signature: ByteSignature
    private let shape: Shape

    private enum Shape {
        /// The prefix is all.
        case literal
        /// Prefix, anything without a `/`, suffix.
        case simple
        case glob(Glob)
    }

    init(
        text: String, line: Int, lifts: Bool, isForFolders: Bool, isPath: Bool,
        elements: [GlobElement]
    ) {
        self.text = text
        self.line = line
        self.lifts = lifts
        self.isForFolders = isForFolders
        self.isPath = isPath
        prefix = Self.literal(elements)
        suffix = Self.literal(elements.reversed().prefix { $0.isScalar }.reversed())
        signature = ByteSignature(Self.literal(elements.filter { $0.isScalar })[...])
        let others = elements.filter { !$0.isScalar }
        switch others {
        case []: shape = .literal
        case [.run]: shape = .simple
        default: shape = .glob(Glob(elements, separator: "/"))
        }
    }

    private static func literal(_ elements: [GlobElement]) -> [UInt8] {
        var text = String.UnicodeScalarView()
        for element in elements {
            guard case .scalar(let scalar) = element else { break }
            text.append(scalar)
        }
        return Array(String(text).utf8)
    }

    /// - Parameter text: a name, or a path where the pattern is one, as its domain compares them.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        switch shape {
        case .literal: return text.elementsEqual(prefix)
        case .simple:
            guard text.count >= prefix.count + suffix.count, text.starts(with: prefix),
                text.suffix(suffix.count).elementsEqual(suffix)
            else { return false }
            guard isPath else { return true }
            return !text.dropFirst(prefix.count).dropLast(suffix.count)
                .contains(UInt8(ascii: "/"))
        case .glob(let glob): return glob.matches(text)
        }
    }
}

extension GlobElement {
    fileprivate var isScalar: Bool {
        if case .scalar = self { true } else { false }
    }
}
