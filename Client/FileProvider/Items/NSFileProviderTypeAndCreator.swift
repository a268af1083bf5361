/// A code of four characters from old Macs. On Apple's systems the system declares it.
public typealias OSType = UInt32

/// The first two words of the Finder's information about a file.
public struct NSFileProviderTypeAndCreator: Hashable, Sendable {
    public var type: OSType
    public var creator: OSType

    /// Neither type nor creator.
    public init() {
        self.init(type: 0, creator: 0)
    }

    public init(type: OSType, creator: OSType) {
        self.type = type
        self.creator = creator
    }
}

/// A favourite whose place is not known yet: the system chooses one and sends it back.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSFileProviderFavoriteRankUnranked: UInt64 = .max
