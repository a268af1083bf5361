import CLinux
import Glibc

// Notes are extended attributes.
extension LinuxFileSystem {
    static let attribute = "user.basket.note"
    /// As much as Linux lets anybody write there.
    static let mostBytes = 64 << 10

    package func note(at path: String) throws(FileError) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, count in
            let length = basket_get_attribute(
                path, Self.attribute, buffer.baseAddress, buffer.count)
            if length < 0 { failure = errno } else { count = length }
        }
        if failure == ENODATA || failure == EOPNOTSUPP { return nil }
        guard failure == 0 else { throw FileError("read what is noted at", path, code: failure) }
        return bytes
    }

    package func setNote(_ note: [UInt8]?, at path: String) throws(FileError) {
        let status =
            if let note {
                basket_set_attribute(path, Self.attribute, note, note.count)
            } else {
                basket_remove_attribute(path, Self.attribute)
            }
        guard status == 0 || note == nil && errno == ENODATA else {
            throw FileError("note something at", path, code: errno)
        }
    }
}
