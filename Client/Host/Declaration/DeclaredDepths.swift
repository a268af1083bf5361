/// How many calls an extension wants to have in its hands at a time; nil where it does not say.
package struct DeclaredDepths: Sendable, Equatable {
    /// Of those that bring bytes, whole or in part.
    package var downloads: Int?
    /// Of those that hand a content over.
    package var uploads: Int?
    package var metadataOnlyUploads: Int?

    static let possible = 1...128
}
