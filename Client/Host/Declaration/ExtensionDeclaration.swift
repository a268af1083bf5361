import FileProviderRules
import Foundation

/// What an extension declares beside its code: the dictionary under `NSExtension` of an `Info.plist`.
package struct ExtensionDeclaration: Sendable {
    package private(set) var actions: [DeclaredAction] = []
    package private(set) var decorations: [DeclaredDecoration] = []
    package private(set) var interactions: [DeclaredInteraction] = []
    package private(set) var depths = DeclaredDepths()
    /// Programs, by the names of their files, for which nothing is brought here.
    package private(set) var nonMaterialisingProcesses: [String] = []
    /// Whether people are offered to have bytes go from here.
    package private(set) var allowsUserControlledEviction = true
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
        depths.downloads = depth(entries, "NSExtensionFileProviderDownloadPipelineDepth")
        depths.uploads = depth(entries, "NSExtensionFileProviderUploadPipelineDepth")
        depths.metadataOnlyUploads = depth(
            entries, "NSExtensionFileProviderMetadataOnlyUploadPipelineDepth")
        nonMaterialisingProcesses = names(
            entries, "NSFileProviderExtensionNonMaterializingProcessNames")
        allowsUserControlledEviction =
            flag(entries, "NSExtensionFileProviderAllowsUserControlledEviction") ?? true
    }

    private mutating func flag(_ entries: [String: Any], _ key: String) -> Bool? {
        guard let value = entries[key] else { return nil }
        guard let flag = value as? Bool else {
            problems.append("\(key) is neither true nor false.")
            return nil
        }
        return flag
    }

    private mutating func depth(_ entries: [String: Any], _ key: String) -> Int? {
        guard let value = entries[key] else { return nil }
        guard let depth = value as? Int, DeclaredDepths.possible.contains(depth) else {
            let possible = DeclaredDepths.possible
            problems.append(
                "\(key) is no number from \(possible.lowerBound) to \(possible.upperBound).")
            return nil
        }
        return depth
    }

    private mutating func names(_ entries: [String: Any], _ key: String) -> [String] {
        guard let value = entries[key] else { return [] }
        guard let names = value as? [String] else {
            problems.append("\(key) is no array of texts.")
            return []
        }
        return names
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
