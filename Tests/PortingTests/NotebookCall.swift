import FileProvider

/// Work for the server, and its answer.
struct NotebookCall<T> {
    let queue: DispatchQueue
    let work: () throws -> T

    func answer(_ completion: @escaping (Result<T, Error>) -> Void) {
        queue.async { completion(Result { try work() }) }
    }
}
