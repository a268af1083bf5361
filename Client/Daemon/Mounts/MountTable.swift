import BasketSupport
import FileProviderMount

/// What is mounted on this machine, as the kernel lists it.
package struct MountTable {
    private static let longestList = 16 << 20
    private let text: String

    package init(_ files: any FileSystem) throws(FileError) {
        var bytes: [UInt8] = []
        let file = try files.open("/proc/self/mountinfo")
        // Such a file has no size.
        while bytes.count < Self.longestList {
            let part = try file.read(at: Int64(bytes.count), count: 64 << 10)
            if part.isEmpty { break }
            bytes += part
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    init(text: String) {
        self.text = text
    }

    /// Where a domain is mounted, and what the kernel calls that mount.
    package struct Domain: Equatable {
        package let folder: String
        package let number: UInt64?
    }

    /// Domains that are mounted below a folder, or as that folder itself, those that were mounted last first.
    package func domains(in folder: String) -> [Domain] {
        text.split(separator: "\n").reversed().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 6, let dash = words.firstIndex(of: "-"), dash + 1 < words.count,
                words[dash + 1] == FuseDevice.fileSystemType
            else { return nil }
            let path = Self.unescaped(words[4])
            guard path == folder || path.hasPrefix(folder + "/") else { return nil }
            // Such devices have no driver, which would come before the colon.
            return Domain(folder: path, number: UInt64(words[2].drop { $0 != ":" }.dropFirst()))
        }
    }

    /// Blanks and what else would end a word are written as three octal digits.
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
