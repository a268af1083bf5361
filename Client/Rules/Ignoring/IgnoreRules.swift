import BasketSupport

/// What stays on this device: temporary files of editors and systems, and what the lists in a
/// domain's folders name.
///
/// The nearest list that says something decides, and in it the last line; Basket's own list is
/// asked last, so that a `!` lifts it too. What lies in an ignored folder is ignored, whatever
/// lists say about it.
package struct IgnoreRules: Sendable {
    package let caseRule: CaseRule
    private let builtIn: BuiltInIgnoreLists
    /// By the folders' paths as the case rule compares them; the root's is empty.
    private var lists: [[UInt8]: FolderIgnoreList] = [:]

    package init(caseRule: CaseRule) {
        self.caseRule = caseRule
        builtIn = BuiltInIgnoreLists.of(caseRule)
    }

    /// Puts a list in place of the one that the folder had; nil takes it away.
    package mutating func setList(_ list: IgnoreList?, in folder: [String]) {
        precondition(
            list.map { $0.caseRule == caseRule } ?? true, "the list is of another case rule")
        let path = FoldedPath(folder, caseRule)
        lists[path.bytes] = list.map { FolderIgnoreList($0, in: folder, at: path) }
    }

    /// About an item and the folders that it lies in, from the domain's root.
    package func verdict(path components: [String], isFolder: Bool) -> IgnoreVerdict {
        var verdict = IgnoreVerdict.kept(nil)
        var folder = folder([])
        for (depth, name) in components.enumerated() {
            let isLast = depth == components.count - 1
            verdict = folder.verdict(name, isFolder: isFolder || !isLast)
            if verdict.isIgnored || isLast { break }
            folder.enter(name)
        }
        return verdict
    }

    /// For those who walk a tree, and come to no folder that is ignored: what is the same for all
    /// that lies in a folder is looked up once.
    package func folder(_ components: [String]) -> IgnoreFolder {
        var folder = IgnoreFolder(lists: lists, builtIn: builtIn, caseRule: caseRule)
        for name in components { folder.enter(name) }
        return folder
    }
}
