import BasketHTTP

/// One line of the API: a method, a path, who may ask, and what answers.
package struct Endpoint: Sendable {
    /// Who may ask.
    package enum Access: Sendable {
        /// Anybody, without an account.
        case open
        /// An account that is logged in.
        case account
        case administrator
    }

    package let method: HTTPMethod
    package let pattern: RoutePattern
    package let access: Access
    /// What a change holds to; nothing to those that only look.
    let conditions: WriteConditions
    let answer: @Sendable (Call) async throws -> HTTPResponse

    init(
        _ method: HTTPMethod, _ pattern: RoutePattern, access: Access = .account,
        conditions: WriteConditions = .none,
        _ answer: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.conditions = conditions
        self.answer = answer
    }
}
