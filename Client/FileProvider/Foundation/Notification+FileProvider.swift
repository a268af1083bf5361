import Foundation

extension Notification.Name {
    /// A domain was added, removed or changed. Posted once the process has asked for its domains.
    public static let fileProviderDomainDidChange = Notification.Name(
        "NSFileProviderDomainDidChange")
    /// Other items are on the disk than before. The object is the domain's identifier.
    public static let fileProviderMaterializedSetDidChange = Notification.Name(
        "NSFileProviderMaterializedSetDidChange")
    /// Other items wait than before. The object is the domain's identifier.
    public static let fileProviderPendingSetDidChange = Notification.Name(
        "NSFileProviderPendingSetDidChange")
}
