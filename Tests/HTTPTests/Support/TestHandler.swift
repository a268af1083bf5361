import BasketHTTP

/// What a test's server answers with.
struct TestHandler: HTTPHandler {
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await answer(request)
    }

    func refuse(_ refusal: HTTPRefusal, id: String) -> HTTPResponse {
        let status =
            switch refusal {
            case .malformed: 400
            case .methodUnknown: 501
            case .expectationFailed: 417
            case .targetTooLong: 414
            case .headersTooLarge: 431
            case .uploadTooSlow: 408
            case .stopping: 503
            }
        return .text("refused \(refusal)", status: status)
    }
}
