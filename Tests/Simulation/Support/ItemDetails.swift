import BasketSupport
import FileProvider
import Foundation

/// What is said of an item besides its place and its content.
struct ItemDetails: Sendable, Equatable {
    /// By which the provider knows it.
    var identifier: String
    /// Of a file.
    var size: Int64?
    var modified: Timestamp?
    var tags: [String] = []
    var flags: UInt = 0
    var favourite: UInt64?
    var extended: [String: Data] = [:]

    /// Each field in words.
    var fields: [String: String] {
        var all = [
            "size": size.map { "\($0)" } ?? "-",
            // A date is counted in parts of a second that are no nanoseconds.
            "modified": modified.map { "\(($0.nanoseconds + 500) / 1000)" } ?? "-",
            "tags": tags.joined(separator: " "), "flags": "\(flags)",
            "favourite": favourite.map { "\($0)" } ?? "-",
        ]
        for (name, value) in extended {
            all[name] = String(decoding: value, as: UTF8.self)
        }
        return all
    }

    /// In what it differs from others' account.
    func differences(from other: ItemDetails) -> [String] {
        let (ours, others) = (fields, other.fields)
        return Set(ours.keys).union(others.keys).sorted().compactMap { name in
            guard ours[name] != others[name] else { return nil }
            if name == "modified", let modified, let other = other.modified,
                abs(modified.nanoseconds - other.nanoseconds) < 1000
            {
                return nil
            }
            return "\(name) is \(others[name] ?? "-") there, and \(ours[name] ?? "-")"
        }
    }

    /// As people set them.
    static func tags(of data: Data?) -> [String] {
        guard let data, !data.isEmpty else { return [] }
        return (try? JSONDecoder().decode([String].self, from: data)) ?? ["\(Array(data))"]
    }
}
