import FoundationEssentials

/// What stands in a file of credentials: a token, or that a keyring has it.
struct CredentialFile: Codable {
    var device: String?
    /// The entry of the desktop's keyring that holds the token.
    var keyring: String?
    var server: String?
    var token: String?

    init(_ credentials: StoredCredentials, server: String, entry: String?) {
        device = credentials.device
        keyring = entry
        self.server = server
        token = entry == nil ? credentials.token : nil
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        guard token != nil || keyring != nil else {
            throw DecodingError.valueNotFound(
                String.self, .init(codingPath: [], debugDescription: "There is no token in it."))
        }
    }

    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }
}
