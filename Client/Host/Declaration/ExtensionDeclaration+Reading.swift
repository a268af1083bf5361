import FileProvider
import Foundation

extension ExtensionDeclaration {
    /// What an extension brings along; nothing for one that brings none.
    package init(of provider: any NSFileProviderReplicatedExtension) {
        guard let declaring = type(of: provider) as? any DeclaringExtension.Type else {
            self.init()
            return
        }
        self.init(reading: declaring.declaration)
    }

    /// - Parameter data: JSON, or a property list; the dictionary under `NSExtension`, or one that has it.
    package init(reading data: Data) {
        guard let entries = Self.dictionary(data) else {
            self.init(problem: "the declaration is neither JSON nor a property list.")
            return
        }
        self.init(entries["NSExtension"] as? [String: Any] ?? entries)
    }

    private static func dictionary(_ data: Data) -> [String: Any]? {
        // What is not the one may be the other; what is wrong with it, neither parser says in useful words.
        let json = try? JSONSerialization.jsonObject(with: data)
        let list = try? json ?? PropertyListSerialization.propertyList(from: data, format: nil)
        return list as? [String: Any]
    }
}
