import BasketSupport
import FoundationEssentials

/// A log-in in a file that only its owner may read.
package struct FileCredentialStore: CredentialStore {
    private static let longestFile: Int64 = 64 << 10

    private let path: String
    private let files: any FileSystem

    package init(path: String, files: any FileSystem) {
        self.path = path
        self.files = files
    }

    package func credentials() throws -> StoredCredentials? {
        // What cannot be looked at is no log-out.
        guard try files.factsIfAny(of: path) != nil else { return nil }
        guard try files.size(path) <= Self.longestFile else { return nil }
        return try JSONDecoder().decode(
            StoredCredentials.self, from: Data(files.contents(of: path)))
    }

    /// New files have the mode 0600, and this one is replaced as a whole.
    package func keep(_ credentials: StoredCredentials) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try files.replace(path, with: Array(encoder.encode(credentials)))
    }

    package func forget() throws {
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
    }
}
