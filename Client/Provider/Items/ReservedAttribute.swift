import BasketModels
import FileProvider
import Foundation

/// What the File Provider API has no member for travels among the extended attributes, under names that are
/// reserved: they are never stored as attributes of the item.
enum ReservedAttribute {
    static let prefix = "user.basket."
    /// The POSIX mode in octal digits, where it says more than the owner's three bits do.
    static let mode = prefix + "mode"

    private static let ownerBits = 0o700

    /// The attributes of an item, with those that are made up.
    static func all(of item: ItemInfo) -> [String: Data] {
        var all: [String: Data] = [:]
        for (name, value) in item.xattrs where !name.hasPrefix(prefix) {
            all[name] = Data(value.bytes)
        }
        if let mode = item.mode, isSaid(mode, of: item.kind) {
            all[Self.mode] = Data(mode.description.utf8)
        }
        return all
    }

    /// Where it is not what is usual; and of a folder, where its owner cannot get into it, which nobody is taken to have said
    /// by leaving out a flag.
    private static func isSaid(_ mode: FileMode, of kind: ItemKind) -> Bool {
        rest(of: mode) != rest(of: .standard(for: kind))
            || kind == .folder && mode.rawValue & 0o100 == 0
    }

    /// Those that the server stores.
    static func stored(of attributes: [String: Data]) -> [String: Data] {
        attributes.filter { !$0.key.hasPrefix(prefix) }
    }

    /// The mode that flags and attributes come to: the owner's bits are the flags', which the person may
    /// have changed where nobody knows of the attribute.
    static func mode(
        _ flags: NSFileProviderFileSystemFlags, _ attributes: [String: Data], kind: ItemKind
    ) -> FileMode? {
        let standard = FileMode.standard(for: kind)
        let known = attributes[mode].flatMap { data in
            Int(String(decoding: data, as: UTF8.self), radix: 8).flatMap(FileMode.init(rawValue:))
        }
        var bits = rest(of: known ?? standard)
        if flags.contains(.userReadable) { bits |= 0o400 }
        if flags.contains(.userWritable) { bits |= 0o200 }
        if flags.contains(.userExecutable) { bits |= 0o100 }
        return FileMode(rawValue: bits)
    }

    static func flags(of item: ItemInfo) -> NSFileProviderFileSystemFlags {
        let mode = (item.mode ?? .standard(for: item.kind)).rawValue
        var flags: NSFileProviderFileSystemFlags = []
        if mode & 0o400 != 0 { flags.insert(.userReadable) }
        if mode & 0o200 != 0 { flags.insert(.userWritable) }
        if mode & 0o100 != 0 { flags.insert(.userExecutable) }
        if item.flags.contains(.hidden) { flags.insert(.hidden) }
        if item.flags.contains(.extensionHidden) { flags.insert(.pathExtensionHidden) }
        return flags
    }

    private static func rest(of mode: FileMode) -> Int { mode.rawValue & ~ownerBits }
}
