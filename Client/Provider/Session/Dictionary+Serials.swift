extension [String: Int64] {
    /// The oldest are forgotten: whoever has not heard of them by now sees them when it looks anew.
    mutating func forgetOldest(beyond most: Int) {
        guard count > most else { return }
        let kept = sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(most / 2)
        self = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
