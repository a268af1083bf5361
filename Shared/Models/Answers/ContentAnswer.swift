/// The item after a content was sent.
package struct ContentAnswer: Decodable, Sendable {
    package var item: ItemInfo
    /// The conflict version that what was sent is kept as, when another one was there.
    package var conflict: Version?
}
