/// What becomes of a deleted file when another one has its name by now.
package enum RevivalPolicy: String, Sendable, DecodableWord {
    /// It takes the next free name: `photo 2.jpg`.
    case rename
    /// It stays deleted: whoever has the name was written in its place.
    case skip
}
