import BasketContent
import BasketSupport

/// A log-in that a file stands for, which only its owner may read. The token is in the file, or in the keyring of a desktop,
/// which the file then says.
package struct FileCredentialStore: CredentialStore {
    private static let longestFile: Int64 = 64 << 10
    /// So often somebody may log in anew while one log-in is read.
    private static let mostAttempts = 3

    private let path: String
    private let server: String
    private let keyring: any Keyring
    private let world: World
    private var files: any FileSystem { world.files }

    /// - Parameter server: the address that the log-in is sent to. Where the domain is given another one, whoever
    ///   answers there gets no log-in that is not for them.
    package init(path: String, server: String, keyring: any Keyring, world: World) {
        self.path = path
        self.server = server
        self.keyring = keyring
        self.world = world
    }

    /// - Throws: `KeyringTrouble` where a keyring has it that cannot be looked into now.
    package func credentials() async throws -> StoredCredentials? {
        var missing: String?
        for _ in 0..<Self.mostAttempts {
            guard let bytes = try contents() else { return nil }
            let file = try CredentialFile(bytes)
            guard file.server ?? server == server else { return nil }
            if let token = try await token(of: file) {
                return StoredCredentials(token: token, device: file.device, server: file.server)
            }
            // Since the file was read, another log-in may have taken the place of the one that it named.
            if file.keyring == missing { return nil }
            missing = file.keyring
        }
        return nil
    }

    private func token(of file: CredentialFile) async throws -> String? {
        if let token = file.token { return token }
        guard let entry = file.keyring else { return nil }
        return try await keyring.secret(entry)
    }

    private func contents() throws -> [UInt8]? {
        // What cannot be looked at is no log-out.
        guard try files.factsIfAny(of: path) != nil else { return nil }
        guard try files.size(path) <= Self.longestFile else { return nil }
        return try files.contents(of: path)
    }

    // MARK: Another log-in

    /// Has this log-in take the place of the one before. The keyring's entry of that one stays until it is said which of
    /// the two is needed, so that each moment at which this ends has one of them in its place.
    /// - Parameters:
    ///   - label: what people see of it in a keyring.
    ///   - mayUseKeyring: else the token is in the file in any case.
    package func replace(
        with credentials: StoredCredentials, label: String, mayUseKeyring: Bool = true
    ) async throws -> ReplacedCredentials {
        // What cannot be read is worth nothing, and replaced.
        let before = try? contents()
        let (known, old) = (try? await self.credentials(), entry(in: before))
        let entry = mayUseKeyring ? await keep(credentials.token, label) : nil
        do {
            // New files have the mode 0600, and this one is replaced as a whole.
            try files.replace(
                path, with: CredentialFile(credentials, server: server, entry: entry).bytes)
        } catch {
            if let entry, !isNamed(entry) { await removeEntries(besides: old) }
            throw error
        }
        return ReplacedCredentials(
            credentials: known, file: before, entries: (old, entry))
    }

    /// - Returns: the keyring's entry; nil where there is no keyring for it.
    private func keep(_ token: String, _ label: String) async -> String? {
        let entry = KeyringEntry(id: Hex.encode(world.randomBytes(16)), file: path)
        do {
            try await keyring.keep(token, as: entry, label: label)
            return entry.id
        } catch {
            world.log.debug(
                "the log-in is kept in a file", ["reason": .text(error.message)])
            return nil
        }
    }

    /// The new log-in is used: nothing is left of the one before.
    package func settle(_ replaced: ReplacedCredentials) async {
        guard replaced.entries.before != nil || replaced.entries.now != nil else { return }
        await removeEntries(besides: replaced.entries.now)
    }

    /// The new log-in is not used: what was there before is, if anything was.
    package func putBack(_ replaced: ReplacedCredentials) async throws {
        if let file = replaced.file {
            try files.replace(path, with: file)
        } else if try files.factsIfAny(of: path) != nil {
            try files.remove(path)
        }
        if replaced.entries.now != nil { await removeEntries(besides: replaced.entries.before) }
    }

    /// - Throws: `KeyringTrouble` where the keyring still has what the file does not name any more.
    package func forget() async throws {
        let entry = entry(in: try? contents())
        var trouble: KeyringTrouble?
        // Before the file: what is left over of both is to be found by the file.
        if entry != nil {
            do throws(KeyringTrouble) {
                try await keyring.removeEntries(of: path, besides: nil)
            } catch {
                trouble = error
            }
        }
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
        if let trouble { throw trouble }
    }

    /// What cannot be removed now is with the next log-in of this file.
    private func removeEntries(besides entry: String?) async {
        do {
            try await keyring.removeEntries(of: path, besides: entry)
        } catch {
            world.log.debug(
                "something is left in the keyring", ["reason": .text(error.message)])
        }
    }

    /// Whether the file may name it, which it does also where its folder could not be made durable.
    private func isNamed(_ entry: String) -> Bool {
        do {
            return self.entry(in: try contents()) == entry
        } catch {
            return true
        }
    }

    private func entry(in file: [UInt8]?) -> String? {
        file.flatMap { try? CredentialFile($0) }?.keyring
    }
}
