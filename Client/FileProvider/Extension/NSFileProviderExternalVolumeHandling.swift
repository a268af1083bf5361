import Foundation

/// An extension that wants to be asked before a domain on an external volume is connected.
public protocol NSFileProviderExternalVolumeHandling: NSObjectProtocol {
    /// No error connects the domain; with one it is disconnected.
    func shouldConnectExternalDomain(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
}
