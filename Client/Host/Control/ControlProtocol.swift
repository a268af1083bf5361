/// What is said between a domain's host and the programs of the person whom it works for: lines of JSON, a request
/// each way in, and for each any number of lines that tell how far it is, then exactly one that ends it.
/// docs/control.md has it in full.
package enum ControlProtocol {
    /// Changes when something means something else; what is added changes nothing.
    package static let version = 1
    /// Longer requests are refused unread.
    package static let longestRequest = 1 << 20
    package static let longestID = 200
    package static let mostItems = 1000
    package static let usualLimit = 100
    package static let mostEntries = 1000
    /// How wide and high a picture may be, how much it is when nobody says, and of how many items there are at once.
    static let mostPixels = 1024
    static let usualPixels = 256
    static let mostPictures = 20
}
