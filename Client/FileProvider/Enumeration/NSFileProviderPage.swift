import Foundation

/// Where the next page of an enumeration begins: an opaque blob of at most 500 bytes, which the provider
/// makes and gets back. A longer one ends the enumeration with an error.
public struct NSFileProviderPage: RawRepresentable, Hashable, Sendable {
    /// Blobs that are longer are refused.
    package static let mostBytes = 500

    public let rawValue: Data

    public init(_ rawValue: Data) {
        self.rawValue = rawValue
    }

    public init(rawValue: Data) {
        self.rawValue = rawValue
    }
}

extension NSFileProviderPage {
    /// The first page of an enumeration whose items are shown by name. Apple says nothing about its bytes;
    /// here they are the ASCII text `NSFileProviderInitialPageSortedByName`.
    public static var initialPageSortedByName: NSData {
        NSData(data: Data("NSFileProviderInitialPageSortedByName".utf8))
    }

    /// The first page of an enumeration whose items are shown by date. Apple says nothing about its bytes;
    /// here they are the ASCII text `NSFileProviderInitialPageSortedByDate`.
    public static var initialPageSortedByDate: NSData {
        NSData(data: Data("NSFileProviderInitialPageSortedByDate".utf8))
    }

    /// The first page of the sets that the system enumerates.
    package static let ofSystemSet = NSFileProviderPage(Data())
}

/// What makes `data as NSFileProviderPage` work for an `NSData`, as on Apple's systems.
extension NSFileProviderPage: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData {
        NSData(data: rawValue)
    }

    public static func _forceBridgeFromObjectiveC(
        _ source: NSData, result: inout NSFileProviderPage?
    ) {
        result = NSFileProviderPage(Data(referencing: source))
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSData, result: inout NSFileProviderPage?
    ) -> Bool {
        result = NSFileProviderPage(Data(referencing: source))
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> NSFileProviderPage
    {
        NSFileProviderPage(source.map { Data(referencing: $0) } ?? Data())
    }
}
