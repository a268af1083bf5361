import BasketConnection

/// What a call was refused with: the problem's code.
struct Code: Error, Equatable {
    let code: String

    init(_ code: String) {
        self.code = code
    }
}

/// Has a refusal thrown as its code, for comparison.
func coded<Result>(_ body: () async throws -> Result) async throws {
    do {
        _ = try await body()
    } catch let error as ConnectionError {
        guard let code = error.code else { throw error }
        throw Code(code)
    }
}
