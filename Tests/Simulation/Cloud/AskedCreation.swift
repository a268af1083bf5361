import FileProvider
import Foundation

/// What an extension was asked to make.
struct AskedCreation: Sendable {
    let identifier: NSFileProviderItemIdentifier
    let contentVersion: Data?
    let options: NSFileProviderCreateItemOptions

    init(
        _ template: any NSFileProviderItemProtocol, _ options: NSFileProviderCreateItemOptions
    ) {
        identifier = template.itemIdentifier
        let version: NSFileProviderItemVersion? = template.itemVersion
        contentVersion = version?.contentVersion
        self.options = options
    }
}
