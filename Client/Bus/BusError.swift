/// Why something on a message bus did not come about.
package enum BusError: Error, Equatable {
    /// There is no bus, or it ends.
    case unreachable(String)
    /// Who was asked has said nothing, or has gone before.
    case unanswered
    /// Who was asked has refused: the error's name, and its words.
    case refused(name: String, String)
    /// An answer is not what it should be.
    case badAnswer
    case noMemory
}
