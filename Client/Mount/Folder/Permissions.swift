import FileProvider
import FileProviderReplica
import Foundation
import Glibc

/// The twelve bits of a mode. The owner's three are flags of the API; the others travel as an attribute, where they
/// are not what is usual.
struct Permissions: Equatable {
    let bits: UInt32

    private static let owners: UInt32 = 0o700
    private static let reading: UInt32 = 0o400
    private static let entering: UInt32 = 0o100
    private static let givingGroup: UInt32 = 0o2000
    private static let rights: [(flag: NSFileProviderFileSystemFlags, bit: UInt32)] = [
        (.userReadable, 0o400), (.userWritable, 0o200), (.userExecutable, 0o100),
    ]

    static func usual(for kind: NodeKind) -> Permissions {
        switch kind {
        case .file: Permissions(0o644)
        case .folder: Permissions(0o755)
        case .symlink: Permissions(0o777)
        }
    }

    init(_ bits: UInt32) {
        self.bits = bits & 0o7777
    }

    init(of attributes: EntryAttributes, _ kind: NodeKind) {
        let stored = attributes.extended[EntryAttributes.modeAttribute].flatMap {
            UInt32(String(decoding: $0, as: UTF8.self), radix: 8)
        }
        let others = (stored ?? Self.usual(for: kind).bits) & ~Self.owners
        var own = Self.rights.reduce(0) { $0 | (attributes.flags.contains($1.flag) ? $1.bit : 0) }
        // Who does not speak of modes says of no folder that it can be entered.
        if kind == .folder, stored == nil, own & Self.reading != 0 { own |= Self.entering }
        self.init(others | own)
    }

    /// Those that a folder gets in another one, which may give its group, and that with it.
    func made(in folder: Permissions) -> Permissions {
        Permissions(bits | folder.bits & Self.givingGroup)
    }

    func note(in attributes: inout EntryAttributes, _ kind: NodeKind) {
        for (flag, bit) in Self.rights {
            if bits & bit != 0 {
                attributes.flags.insert(flag)
            } else {
                attributes.flags.remove(flag)
            }
        }
        let isClosed = kind == .folder && bits & Self.entering == 0
        let isUsual =
            !isClosed && bits & ~Self.owners == Self.usual(for: kind).bits & ~Self.owners
        let digits = String(bits, radix: 8)
        let text = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        attributes.extended[EntryAttributes.modeAttribute] = isUsual ? nil : Data(text.utf8)
    }
}
