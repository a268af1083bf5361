/// What kind of thing an item is: a folder, a JPEG image, a package.
///
/// A type is named by its identifier, such as `public.jpeg`, and knows which wider types it conforms to,
/// and by which file name extensions and MIME types it is recognised. Two types are equal when their
/// identifiers are.
///
/// The types are Apple's for what both systems know, and those of the freedesktop.org database of MIME
/// types (`shared-mime-info`) for the rest, under identifiers that begin with `org.freedesktop.mime.`.
/// An extension or a MIME type that nobody declared has a dynamic type: its identifier begins with
/// `dyn.`, holds the tag, and means the same in every process.
public struct UTType: Sendable {
    /// The name of the type, by which it is compared and stored.
    public let identifier: String

    /// Its declaration's place in the table, or nil for a type that nobody declared.
    let declaration: Int?
    /// What an undeclared type conforms to, as places in the table.
    let adopted: [Int]

    init(identifier: String, declaration: Int?, adopted: [Int] = []) {
        self.identifier = identifier
        self.declaration = declaration
        self.adopted = adopted
    }

    /// The declared type of that identifier, or the dynamic type that it spells; nil when it is neither.
    public init?(_ identifier: String) {
        let table = TypeTable.shared
        // Identifiers are compared without regard to case, and keep the declaration's spelling.
        if let index = table.index(ofIdentifier: identifier) {
            self = table.type(at: index)
        } else if let tag = DynamicTag(identifier: identifier) {
            self = table.dynamic(tag)
        } else {
            return nil
        }
    }

    /// A type that the program itself declares. If the system does not know it, it conforms to
    /// `parentType`, or to `data`.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(naming: identifier, conformingTo: parentType)
    }

    /// A type that somebody else declares, which may not be installed here. If the system does not know
    /// it, it conforms to `parentType`, or to `data`.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(naming: identifier, conformingTo: parentType)
    }

    private init(naming identifier: String, conformingTo parentType: UTType?) {
        if let known = UTType(identifier) {
            self = known
        } else {
            let parent = parentType ?? .data
            let parents = parent.declaration.map { [$0] } ?? parent.adopted
            self.init(identifier: identifier, declaration: nil, adopted: parents)
        }
    }
}

extension UTType: Hashable {
    public static func == (left: UTType, right: UTType) -> Bool {
        left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

extension UTType: Codable {
    /// A type is written as its identifier. One that this system does not know is kept as it is.
    public init(from decoder: any Decoder) throws {
        self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { identifier }
    public var debugDescription: String { identifier }
}
