import FileProvider
import Foundation

/// A place in one of the system's sets, as those who enumerate it keep it: it means nothing to another replica.
struct ItemSetPosition {
    let number: Int64
    let bytes: Data

    init(_ number: Int64, of identity: [UInt8]) {
        self.number = number
        bytes = Data(identity + withUnsafeBytes(of: number.bigEndian, Array.init))
    }

    /// The first page has no bytes, or is one of those that everybody may begin with.
    init(page: NSFileProviderPage, of identity: [UInt8]) throws {
        if Self.first.contains(page) {
            self.init(0, of: identity)
        } else {
            try self.init(page.rawValue, of: identity)
        }
    }

    private static let first: [NSFileProviderPage] = [
        .ofSystemSet,
        NSFileProviderPage(Data(referencing: NSFileProviderPage.initialPageSortedByName)),
        NSFileProviderPage(Data(referencing: NSFileProviderPage.initialPageSortedByDate)),
    ]

    init(anchor: NSFileProviderSyncAnchor, of identity: [UInt8]) throws {
        try self.init(anchor.rawValue, of: identity)
    }

    private init(_ bytes: Data, of identity: [UInt8]) throws {
        guard bytes.count == identity.count + MemoryLayout<Int64>.size, bytes.starts(with: identity)
        else { throw NSFileProviderError(.syncAnchorExpired) }
        let number = bytes.dropFirst(identity.count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(Int64(bitPattern: number), of: identity)
    }
}
