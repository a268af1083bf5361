import FileProvider
import UniformTypeIdentifiers

/// What kind of thing a template is.
struct UTTypeBox {
    let isFolder: Bool

    init(_ item: any NSFileProviderItemProtocol) {
        let type: UTType? = item.contentType
        // A package is a directory, but none that is called a folder.
        isFolder = type?.conforms(to: .directory) ?? false
    }
}
