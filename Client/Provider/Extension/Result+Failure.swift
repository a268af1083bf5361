extension Result {
    /// What it failed with, for handlers that want nothing else.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
