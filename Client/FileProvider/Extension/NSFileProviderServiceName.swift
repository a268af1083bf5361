/// Names a service of an extension, best as a reversed domain name. On Apple's systems Foundation declares it.
public struct NSFileProviderServiceName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
