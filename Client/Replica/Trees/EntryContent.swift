import BasketSupport
import Foundation

/// What a node holds, by a name for it: two entries with equal names hold the same.
package enum EntryContent: Hashable, Sendable {
    /// A folder's.
    case none
    /// The bytes to which the provider gave this version.
    case version(Data)
    /// Bytes that were written here and that the provider has not named yet. Each time that a file is
    /// changed anew, its edit has another number.
    case edit(Int64)
    /// Where a symlink leads.
    case target(String)

    package static func == (one: EntryContent, other: EntryContent) -> Bool {
        switch (one, other) {
        case (.none, .none): true
        case (.version(let one), .version(let other)): one == other
        case (.edit(let one), .edit(let other)): one == other
        // Where it leads is bytes.
        case (.target(let one), .target(let other)): one.hasSameBytes(as: other)
        case (.none, _), (.version, _), (.edit, _), (.target, _): false
        }
    }

    /// Was handed over to the provider, which has stored it elsewhere and gives this item another one.
    package static let handedOver = EntryContent.version(Data("\u{0}handed-over".utf8))

    /// Written here, and known to nobody else.
    package var isEdit: Bool {
        if case .edit = self { true } else { false }
    }
}
