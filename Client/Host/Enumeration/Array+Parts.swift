extension Array {
    /// In order, each of so many elements, and the rest.
    func parts(of size: Int) -> some Sequence<[Element]> {
        stride(from: 0, to: count, by: size).lazy.map {
            Array(self[$0..<Swift.min($0 + size, count)])
        }
    }
}
