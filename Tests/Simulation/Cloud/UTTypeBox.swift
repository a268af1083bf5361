import FileProvider
import UniformTypeIdentifiers

/// What kind of thing a template is.
struct UTTypeBox {
    let isFolder: Bool

    init(_ item: any NSFileProviderItemProtocol) {
        let type: UTType? = item.contentType
        isFolder = type?.conforms(to: .folder) ?? false
    }
}
