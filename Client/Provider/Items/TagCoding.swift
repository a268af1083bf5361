import BasketModels
import Foundation

/// Tags as `tagData`: a JSON array of strings, as the server's API has them.
enum TagCoding {
    static func data(_ tags: [String]) -> Data? {
        guard !tags.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.array { writer in
            for tag in tags { writer.string(tag) }
        }
        return Data(writer.bytes)
    }

    /// Nil for what is no such array: somebody else's blob, which is not to be lost by guessing.
    static func tags(_ data: Data?) -> [String]? {
        guard let data, !data.isEmpty else { return [] }
        // Whatever is wrong with it, it is no list of tags.
        return try? JSONDecoder().decode([String].self, from: data)
    }
}
