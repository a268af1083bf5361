extension UTType {
    /// The type of files with that extension, which is written without a dot, among the types that conform
    /// to `supertype`. What nobody declared gets a dynamic type; nil is for what cannot be an extension.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type of contents with that MIME type, among the types that conform to `supertype`. What nobody
    /// declared gets a dynamic type; nil is for what cannot be a MIME type.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type that a tag stands for, among those that conform to `supertype` if there is one.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let plain = TypeTag(tag, tagClass) else { return nil }
        let table = TypeTable.shared
        for index in table.candidates(plain) {
            let type = table.type(at: index)
            if supertype.map(type.conforms(to:)) ?? true {
                self = type
                return
            }
        }
        // Only a type that the system declares can be found again from the identifier alone.
        let parent =
            supertype.flatMap { $0.isDeclared ? $0.identifier : nil } ?? UTType.data.identifier
        guard let dynamic = DynamicTag(plain, parent: parent) else { return nil }
        self = table.dynamic(dynamic)
    }

    /// Every declared type that a tag may stand for, the likeliest first; the dynamic type if there is none.
    public static func types(
        tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?
    ) -> [UTType] {
        guard let plain = TypeTag(tag, tagClass) else { return [] }
        let table = TypeTable.shared
        let declared = table.candidates(plain).map(table.type(at:))
            .filter { type in supertype.map(type.conforms(to:)) ?? true }
        guard declared.isEmpty else { return declared }
        return [UTType(tag: tag, tagClass: tagClass, conformingTo: supertype)].compactMap { $0 }
    }

    /// The extension that a new file of this type gets, without a dot.
    public var preferredFilenameExtension: String? {
        tags[.filenameExtension]?.first
    }

    /// The MIME type that contents of this type are sent with.
    public var preferredMIMEType: String? {
        tags[.mimeType]?.first
    }

    /// Everything that the type is recognised by, the preferred tag of each class first.
    public var tags: [UTTagClass: [String]] {
        guard let declaration else {
            return DynamicTag(identifier: identifier).map { [$0.tag.tagClass: [$0.tag.text]] }
                ?? [:]
        }
        let known = TypeTable.shared.declarations[declaration]
        var tags: [UTTagClass: [String]] = [:]
        if !known.extensions.isEmpty { tags[.filenameExtension] = known.extensions }
        if !known.mimeTypes.isEmpty { tags[.mimeType] = known.mimeTypes }
        return tags
    }
}
