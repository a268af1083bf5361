/// `POST …/contents/batch`: many small contents in one answer.
package struct ContentsRequest: Codable, Sendable {
    package static let mostContents = 256

    /// What a file holds: the present content, or the one of a version.
    package struct Wanted: Codable, Sendable, Equatable {
        package var item: String
        package var version: Version?

        package init(item: String, version: Version? = nil) {
            self.item = item
            self.version = version
        }
    }

    package var contents: [Wanted]

    package init(contents: [Wanted]) {
        self.contents = contents
    }
}
