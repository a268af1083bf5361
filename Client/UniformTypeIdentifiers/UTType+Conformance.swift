import Foundation

extension UTType {
    /// Whether the type is `type`, or a narrower one.
    public func conforms(to type: UTType) -> Bool {
        if identifier == type.identifier { return true }
        guard let wanted = type.declaration else { return false }
        let table = TypeTable.shared
        if let declaration { return table.ancestors[declaration].contains(wanted) }
        return adopted.contains { $0 == wanted || table.ancestors[$0].contains(wanted) }
    }

    /// Whether the type is narrower than `type`.
    public func isSubtype(of type: UTType) -> Bool {
        self != type && conforms(to: type)
    }

    /// Whether the type is wider than `type`.
    public func isSupertype(of type: UTType) -> Bool {
        type.isSubtype(of: self)
    }

    /// Every wider type, near or far.
    public var supertypes: Set<UTType> {
        let table = TypeTable.shared
        guard declaration == nil else {
            return Set(declaration.map { table.ancestors[$0] }?.map(table.type(at:)) ?? [])
        }
        return Set(adopted.flatMap { [$0] + table.ancestors[$0] }.map(table.type(at:)))
    }

    /// Whether the type stands for a tag that nobody declared.
    public var isDynamic: Bool { DynamicTag(identifier: identifier) != nil }

    /// Whether the system knows the type. Dynamic types are neither declared nor known.
    public var isDeclared: Bool { declaration != nil }

    /// Whether the type belongs to nobody, such as `public.jpeg`.
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// What a person calls the type, in the language of the process where the database has it.
    public var localizedDescription: String? {
        guard let declaration else { return nil }
        let known = TypeTable.shared.declarations[declaration]
        for type in known.mimeTypes {
            if let comment = TypeComment.localized(
                of: type, in: TypeTable.folders, language: TypeComment.language)
            {
                return comment
            }
        }
        return known.description
    }
}
