import BasketHTTP

/// What a test's server answers with, set apart from what the test does meanwhile.
struct Answering: Sendable {
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        self.answer = answer
    }
}
