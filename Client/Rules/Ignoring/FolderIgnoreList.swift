/// A list, and the folder that it lies in.
final class FolderIgnoreList: Sendable {
    let list: IgnoreList
    let folder: [String]
    /// Where what lies in the folder begins in a path, as domains compare them.
    let start: Int

    init(_ list: IgnoreList, in folder: [String], at path: FoldedPath) {
        self.list = list
        self.folder = folder
        start = folder.isEmpty ? 0 : path.bytes.count + 1
    }
}
