import FileProviderReplica
import Foundation

extension EntryContent {
    /// For people who look for what is wrong; nil where there is none.
    var words: String? {
        switch self {
        case .none: nil
        case .handedOver: "what the provider has stored elsewhere"
        case .version(let name): "version \(Self.text(name))"
        case .edit(let number): "change \(number) of this device, without a version yet"
        case .target(let target): "a link to \(target)"
        }
    }

    /// A version is bytes. Most providers write a text into them.
    private static func text(_ name: Data) -> String {
        let isText = !name.isEmpty && name.allSatisfy { (0x21...0x7E).contains($0) }
        return isText
            ? String(decoding: name, as: UTF8.self)
            : name.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }
}
