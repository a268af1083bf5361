import FoundationEssentials
import Glibc

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/basket-end-to-end-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("no folder in /tmp: \(errno)") }
        path = String(
            decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // It may be a mount point that is gone, or never was; there is nobody to tell.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }
}
