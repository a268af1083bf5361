/// `PUT …/items/I/lock`.
package struct LockRequest: Codable, Sendable {
    package var seconds: Int?
    package var note: String?

    package init(seconds: Int? = nil, note: String? = nil) {
        self.seconds = seconds
        self.note = note
    }
}
