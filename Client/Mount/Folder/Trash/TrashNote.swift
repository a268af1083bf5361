import BasketSupport
import Foundation

/// What a desktop notes of something in a trash: where it was, and when it was put there.
struct TrashNote: Codable, Sendable, Equatable {
    /// From the domain's root down.
    var path: String
    var nanoseconds: Int64

    private static let head = "[Trash Info]"

    init(path: String, date: Timestamp) {
        self.path = path
        nanoseconds = date.nanoseconds
    }

    /// As the file that programs read. The date is local time, without saying which.
    var text: [UInt8] {
        let date = DateFormatter()
        date.locale = Locale(identifier: "en_US_POSIX")
        date.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        let moment = Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
        return Array(
            "\(Self.head)\nPath=\(Self.escaped(path))\nDeletionDate=\(date.string(from: moment))\n"
                .utf8)
    }

    /// As in an address, but for the slashes.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
                    || "-_.~/".unicodeScalars.contains(scalar))
            if isPlain {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
