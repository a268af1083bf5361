/// How long a file was when all of it was made safe.
struct ProvenLength: Sendable, Equatable {
    let file: Int64
    let length: Int64
}
