/// Not Apple's: how much room a provider has for a domain, in bytes.
public struct ProviderRoom: Sendable, Equatable {
    /// What the domain's items take.
    public var used: Int64
    /// What can still be written.
    public var available: Int64

    public init(used: Int64, available: Int64) {
        self.used = used
        self.available = available
    }
}
