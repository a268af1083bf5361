import FileProviderRules

extension PredicateObject {
    /// The value at the end of a path of keys. Keys may have dots in them, as those that folders pass on do.
    func value(along path: String) -> PredicateValue? {
        if let value = value(for: path) { return value }
        var end = path.endIndex
        while let dot = path[..<end].lastIndex(of: ".") {
            if case .object(let next)? = value(for: String(path[..<dot])) {
                return next.value(along: String(path[path.index(after: dot)...]))
            }
            end = dot
        }
        return nil
    }
}
