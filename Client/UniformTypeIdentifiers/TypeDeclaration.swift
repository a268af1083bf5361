/// What the table knows about one type.
struct TypeDeclaration: Equatable, Sendable {
    let identifier: String
    /// The preferred one first.
    var mimeTypes: [String] = []
    /// The preferred one first; without dots.
    var extensions: [String] = []
    /// Identifiers of the types that this one conforms to directly.
    var parents: [String] = []
    /// In English, where no database says it better.
    var description: String?
}
