/// A program is told that, and no more is to be said.
struct Refusal: Error, Equatable {
    let code: Int32

    init(_ code: Int32) {
        self.code = code
    }
}
