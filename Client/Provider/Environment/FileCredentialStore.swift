import BasketSupport
import FoundationEssentials

/// A log-in in a file that only its owner may read.
package struct FileCredentialStore: CredentialStore {
    private static let longestFile: Int64 = 64 << 10

    private let path: String
    private let server: String
    private let files: any FileSystem

    /// - Parameter server: the address that the log-in is sent to. Where the domain is given another one, whoever
    ///   answers there gets no log-in that is not for them.
    package init(path: String, server: String, files: any FileSystem) {
        self.path = path
        self.server = server
        self.files = files
    }

    package func credentials() throws -> StoredCredentials? {
        // What cannot be looked at is no log-out.
        guard try files.factsIfAny(of: path) != nil else { return nil }
        guard try files.size(path) <= Self.longestFile else { return nil }
        let stored = try JSONDecoder().decode(
            StoredCredentials.self, from: Data(files.contents(of: path)))
        return stored.server ?? server == server ? stored : nil
    }

    /// New files have the mode 0600, and this one is replaced as a whole.
    package func keep(_ credentials: StoredCredentials) throws {
        var credentials = credentials
        credentials.server = server
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try files.replace(path, with: Array(encoder.encode(credentials)))
    }

    package func forget() throws {
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
    }
}
