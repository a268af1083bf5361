import BasketSupport
import Foundation

/// A file in which something small is noted as a whole, as JSON.
struct NoteFile<Content: Codable>: Sendable {
    let path: String
    let world: World

    /// What is noted; nil for nothing. What cannot be understood is kept beside it: nobody writes over that.
    func read() -> Content? {
        do {
            let bytes = try world.files.contents(of: path)
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch let error as FileError where error.isMissing {
            return nil
        } catch {
            let aside = path + ".unreadable-\(world.now().nanoseconds)"
            world.log.error(
                "notes cannot be read, and are put aside",
                ["file": .text(aside), "error": .text("\(error)")])
            try? world.files.rename(path, to: aside)
            return nil
        }
    }

    func write(_ content: Content) throws {
        try world.files.replace(path, with: Array(JSONEncoder().encode(content)))
    }
}
