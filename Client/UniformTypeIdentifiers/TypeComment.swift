import Foundation

/// What the database calls a type, in a person's language.
enum TypeComment {
    /// A type's file has its name in a hundred languages, and is a few kilobytes long.
    private static let mostBytes = 256 << 10

    /// The language of messages, as the environment says it: `pt_BR`, `de`, or nothing.
    static var language: String {
        let environment = ProcessInfo.processInfo.environment
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let chosen = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return String(chosen.prefix { $0 != "." && $0 != "@" })
    }

    static func localized(of mimeType: String, in folders: [String], language: String) -> String? {
        // A MIME type becomes a path only when it cannot lead elsewhere.
        guard TypeTag(mimeType, .mimeType)?.text == mimeType, !mimeType.contains("..") else {
            return nil
        }
        for folder in folders {
            let path = "\(folder)/\(mimeType).xml"
            guard let file = FileHandle(forReadingAtPath: path) else { continue }
            // An unreadable file is as good as none: there is a description without it.
            let data = try? file.read(upToCount: mostBytes)
            // Nothing was written that closing could lose.
            try? file.close()
            guard let data else { continue }
            let comments = read(String(decoding: data, as: UTF8.self))
            let wider = String(language.prefix { $0 != "_" })
            return comments[language] ?? comments[wider] ?? comments[""]
        }
        return nil
    }

    /// The comments in a type's file by language; the one without a language is English.
    static func read(_ text: String) -> [String: String] {
        var comments: [String: String] = [:]
        for part in text.split(separator: "<comment").dropFirst() {
            guard let close = part.firstIndex(of: ">") else { continue }
            let attributes = part[..<close]
            let words = part[part.index(after: close)...].prefix { $0 != "<" }
            let language =
                attributes.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
            if comments[language] == nil { comments[language] = unescaped(words) }
        }
        return comments
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return text.replacingOccurrences(of: "&lt;", with: "<")
            .replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&quot;", with: "\"")
            .replacingOccurrences(of: "&apos;", with: "'")
            .replacingOccurrences(of: "&amp;", with: "&")
    }
}
