/// What an extension answers to a creation, whatever it was.
enum CreationAnswer: Sendable {
    /// That it has made this.
    case item(Cloud.Record)
    case failure(any Error)
}
