import BasketSupport

/// A path as its domain compares names, in one piece, with `/` between the components.
struct FoldedPath: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the last component begins.
    private(set) var last = 0
    private var isEmpty = true

    init() {}

    init(_ components: [String], _ caseRule: CaseRule) {
        for component in components { append(component, caseRule) }
    }

    mutating func append(_ component: String, _ caseRule: CaseRule) {
        if !isEmpty { bytes.append(UInt8(ascii: "/")) }
        last = bytes.count
        bytes.append(contentsOf: component.utf8)
        if caseRule == .portable { foldLast(component) }
        isEmpty = false
    }

    /// In place for most names, whose key is nothing but lower case.
    private mutating func foldLast(_ component: String) {
        for index in last..<bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 {
                bytes.removeSubrange(last...)
                bytes += CaseRule.portable.collisionKey(of: component)
                return
            }
            if byte &- 0x41 < 26 { bytes[index] = byte | 0x20 }
        }
    }
}
