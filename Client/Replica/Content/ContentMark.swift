import FileProvider
import Foundation

/// What is noted at a file whose bytes only this device has.
package struct ContentMark: Codable, Sendable, Equatable {
    /// The names from the root down.
    package var path: [String]
    /// The item whose content it is to be, and what of its content the bytes were made of.
    package var item: String?
    package var base: Data?
    /// How much there was when that was noted.
    package var size: Int64?

    package init(path: [String], item: String?, base: Data?, size: Int64? = nil) {
        self.path = path
        self.item = item
        self.base = base
        self.size = size
    }

    /// Of a file of which nothing is known but that it is there.
    static func unknown(_ number: Int64) -> ContentMark {
        ContentMark(path: ["recovered \(number)"], item: nil, base: nil)
    }

    /// A path that is too long for a note is cut off: the name tells more than the folders above.
    private static let longestPath = 2000

    var bytes: [UInt8] {
        var mark = self
        while mark.path.count > 1, mark.path.reduce(0, { $0 + $1.utf8.count }) > Self.longestPath {
            mark.path.removeFirst()
        }
        return Array(mark.json.utf8)
    }

    /// Each file that is made has one: an encoder would take longer for it than the disk.
    private var json: String {
        var members = ["\"path\":[\(path.map(Self.quoted).joined(separator: ","))]"]
        if let size { members.append("\"size\":\(size)") }
        if let item { members.append("\"item\":\(Self.quoted(item))") }
        if let base { members.append("\"base\":\"\(base.base64EncodedString())\"") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    init?(bytes: [UInt8]) {
        guard let mark = try? JSONDecoder().decode(ContentMark.self, from: Data(bytes)) else {
            return nil
        }
        self = mark
    }
}

extension ReplicaReader {
    /// What is to be noted at a file, if a node has it.
    package func mark(ofFile number: Int64) throws -> ContentMark? {
        try node(file: number).map(mark)
    }

    /// What is to be noted at a node's file.
    package func mark(of node: StoredNode) throws -> ContentMark {
        var base: Data?
        if case .version(let version)? = node.trees.synced?.content,
            node.trees.synced?.content != .handedOver
        {
            base = version
        }
        // Of what is only begun, any length is too little.
        return try ContentMark(
            path: path(of: node.id), item: node.identifier?.rawValue, base: base,
            size: isBegun(node.id) ? 0 : node.size)
    }
}
