/// One thing that a doctor looks at. Each looks for itself: what is wrong elsewhere is no reason to say nothing.
protocol Check: Sendable {
    /// What there is to say of it. It ends in any case, within seconds, whatever does not answer.
    func findings() async -> [Finding]
}
