import FileProvider
import FileProviderReplica

extension StoredNode {
    /// How a node that is no folder is kept.
    enum Keeping: Equatable {
        case whole
        /// Some of its bytes are not here.
        case part
        /// None of its newest bytes are here, but what it was before.
        case earlier
        case link(to: String)
    }

    /// The provider has not got it, or not as it is here.
    var isOnlyHere: Bool {
        guard let local = trees.local else { return false }
        guard exclusion == .no, let remote = trees.remote else { return true }
        return local.content.isEdit || kind == .symlink && local.content != remote.content
    }

    /// Nil for what is not kept.
    func keeping(withDownloads keepsDownloads: Bool) -> Keeping? {
        guard let local = trees.local, keepsDownloads || isOnlyHere else { return nil }
        switch local.kind {
        case .folder: return nil
        case .symlink:
            guard case .target(let path) = local.content, !path.isEmpty else { return nil }
            return .link(to: path)
        case .file:
            switch residence {
            case .whole: return .whole
            case .partial: return .part
            case .dataless: return basis == nil ? nil : .earlier
            }
        }
    }

    /// Its owner's rights alone are known. A folder that cannot be looked into would be lost.
    var keptMode: UInt16 {
        let flags = trees.local?.attributes.flags ?? [.userReadable, .userWritable]
        var mode: UInt16 = flags.contains(.userWritable) ? 0o200 : 0
        if kind == .folder { return mode | 0o500 }
        if flags.contains(.userReadable) { mode |= 0o400 }
        if flags.contains(.userExecutable) { mode |= 0o100 }
        return mode
    }
}
