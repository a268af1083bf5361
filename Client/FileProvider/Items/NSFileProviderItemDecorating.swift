/// An item that file browsers decorate.
public protocol NSFileProviderItemDecorating: NSFileProviderItemProtocol {
    /// Decorations that `Info.plist` declares, the most important first.
    var decorations: [NSFileProviderItemDecorationIdentifier]? { get }
}
