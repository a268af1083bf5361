import FileProviderRules
import Foundation

/// What an extension declares beside its code: the dictionary under `NSExtension` of an `Info.plist`.
package struct ExtensionDeclaration: Sendable {
    package private(set) var actions: [DeclaredAction] = []
    package private(set) var decorations: [DeclaredDecoration] = []
    package private(set) var interactions: [DeclaredInteraction] = []
    /// What is not taken of it, and why. The rest is.
    package private(set) var problems: [String] = []

    /// An extension that declares nothing.
    package init() {}

    /// One of which nothing can be read.
    init(problem: String) {
        problems = [problem]
    }

    /// - Parameter entries: as a property list or JSON holds them.
    package init(_ entries: [String: Any]) {
        actions = read(entries, "NSExtensionFileProviderActions", DeclaredAction.init)
        decorations = read(entries, "NSFileProviderDecorations", DeclaredDecoration.init)
        interactions = read(entries, "NSFileProviderUserInteractions", DeclaredInteraction.init)
    }

    private mutating func read<Entry>(
        _ entries: [String: Any], _ key: String,
        _ make: (DeclarationEntry) throws(DeclarationError) -> Entry
    ) -> [Entry] {
        guard let value = entries[key] else { return [] }
        guard let list = value as? [[String: Any]] else {
            problems.append("\(key) is no array of dictionaries.")
            return []
        }
        var read: [Entry] = []
        for (index, values) in list.enumerated() {
            do throws(DeclarationError) {
                read.append(try make(DeclarationEntry(values: values)))
            } catch {
                problems.append("\(key), entry \(index + 1): \(error.message)")
            }
        }
        return read
    }
}
