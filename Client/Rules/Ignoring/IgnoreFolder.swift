import BasketSupport

/// A folder that is not ignored itself, and all that says something about what lies in it.
package struct IgnoreFolder: Sendable {
    private let lists: [[UInt8]: FolderIgnoreList]
    private let builtIn: BuiltInIgnoreLists
    private let caseRule: CaseRule
    private var components: [String] = []
    private var path = FoldedPath()
    /// The nearest last.
    private var around: [FolderIgnoreList] = []

    /// The root of a domain.
    init(lists: [[UInt8]: FolderIgnoreList], builtIn: BuiltInIgnoreLists, caseRule: CaseRule) {
        self.lists = lists
        self.builtIn = builtIn
        self.caseRule = caseRule
        if let list = lists[[]] { around.append(list) }
    }

    /// Goes on to a folder in this one.
    package mutating func enter(_ name: String) {
        components.append(name)
        path.append(name, caseRule)
        if !lists.isEmpty, let list = lists[path.bytes] { around.append(list) }
    }

    package func verdict(_ name: String, isFolder: Bool) -> IgnoreVerdict {
        var path = path
        path.append(name, caseRule)
        guard let (place, line) = decision(path, isFolder) else { return .kept(nil) }
        let reason = IgnoreReason(
            place: place, line: line.line, pattern: line.text, path: components + [name])
        return line.lifts ? .kept(reason) : .ignored(reason)
    }

    private func decision(
        _ path: FoldedPath, _ isFolder: Bool
    ) -> (IgnoreReason.Place, IgnorePattern)? {
        let name = path.bytes[path.last...]
        for entry in around.reversed() {
            let below = path.bytes[entry.start...]
            if let line = entry.list.line(matching: name, path: below, isFolder: isFolder) {
                return (.folder(entry.folder), line)
            }
        }
        let own = isFolder ? builtIn.folders : builtIn.files
        return own.line(matching: name, path: name, isFolder: isFolder).map { (.builtIn, $0) }
    }
}
