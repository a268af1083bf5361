import Foundation

/// Tags as desktops write them at files, and as an item's `tagData` holds them on Linux: a JSON array of texts.
enum TagList {
    /// freedesktop.org's: the tags with commas between them.
    static let attribute = "user.xdg.tags"

    /// Nil for no tags, and for what is no list of tags: somebody else's, which is not to be guessed at.
    static func text(_ data: Data?) -> String? {
        guard let data, let tags = try? JSONDecoder().decode([String].self, from: data),
            !tags.isEmpty
        else { return nil }
        return tags.joined(separator: ",")
    }

    /// As a program has written them, where that means these tags: what it writes it wants to read, spaces and all.
    static func shown(_ tags: Data?, written: Data?) -> Data? {
        let text = text(tags)
        if let written {
            let meant = String(validating: written, as: UTF8.self).flatMap(data)
            if self.text(meant) == text { return written }
        }
        return text.map { Data($0.utf8) }
    }

    static func data(_ text: String) -> Data? {
        let tags = text.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }.filter { !$0.isEmpty }
        guard !tags.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try? encoder.encode(tags)
    }
}
