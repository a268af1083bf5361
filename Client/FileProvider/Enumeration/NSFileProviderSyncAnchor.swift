import Foundation

/// How far a client has followed an enumerator's changes: an opaque blob of at most 500 bytes, which the
/// provider makes and gets back. A longer one counts as expired.
public struct NSFileProviderSyncAnchor: RawRepresentable, Hashable, Sendable {
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

/// What makes `data as NSFileProviderSyncAnchor` work for an `NSData`, as on Apple's systems.
extension NSFileProviderSyncAnchor: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData {
        NSData(data: rawValue)
    }

    public static func _forceBridgeFromObjectiveC(
        _ source: NSData, result: inout NSFileProviderSyncAnchor?
    ) {
        result = NSFileProviderSyncAnchor(Data(referencing: source))
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSData, result: inout NSFileProviderSyncAnchor?
    ) -> Bool {
        result = NSFileProviderSyncAnchor(Data(referencing: source))
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?)
        -> NSFileProviderSyncAnchor
    {
        NSFileProviderSyncAnchor(source.map { Data(referencing: $0) } ?? Data())
    }
}
