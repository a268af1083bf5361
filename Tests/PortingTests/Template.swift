import FileProvider
import UniformTypeIdentifiers

/// What the system hands over for something new on the disk: no more than what is known of it.
class Template: NSObject, NSFileProviderItem {
    let itemIdentifier = NSFileProviderItemIdentifier(UUID().uuidString)
    let filename: String
    let contentType: UTType
    let parentItemIdentifier: NSFileProviderItemIdentifier

    init(_ filename: String, _ contentType: UTType, in parent: NSFileProviderItemIdentifier) {
        self.filename = filename
        self.contentType = contentType
        parentItemIdentifier = parent
    }
}
