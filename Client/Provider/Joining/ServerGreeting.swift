/// What a server says to whoever knocks.
package struct ServerGreeting: Sendable {
    package let version: String
    /// How much later it is here than there; nil where it does not say.
    package let ahead: Duration?
}
