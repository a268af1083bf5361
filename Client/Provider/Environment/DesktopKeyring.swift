import BasketBus
import BasketSupport

/// The keyring of whoever's desktop this is, if there is one: found anew each time, as it may come after this program.
package struct DesktopKeyring: Keyring {
    private static let application = "basket"

    private let environment: [String: String]
    private let files: any FileSystem

    /// - Parameter environment: the variables by which the bus of a desktop's session is found.
    package init(environment: [String: String], files: any FileSystem) {
        self.environment = environment
        self.files = files
    }

    /// The one of whoever has started this program.
    package static func own(_ files: any FileSystem) -> DesktopKeyring {
        DesktopKeyring(environment: ProcessEnvironment.variables(), files: files)
    }

    package func secret(_ id: String) async throws(KeyringTrouble) -> String? {
        try await ask { service throws(SecretServiceError) in
            try service.secret(of: Self.attributes(id: id))
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    package func keep(
        _ secret: String, as entry: KeyringEntry, label: String
    ) async throws(KeyringTrouble) {
        try await ask { service throws(SecretServiceError) in
            let attributes = Self.attributes(id: entry.id, file: entry.file)
            do throws(SecretServiceError) {
                try service.keep(Array(secret.utf8), called: label, as: attributes)
            } catch {
                // It may be there all the same, and nobody will look for it.
                if case .failed = error { try? service.remove(attributes) }
                throw error
            }
        }
    }

    package func removeEntries(
        of file: String, besides id: String?
    ) async throws(KeyringTrouble) {
        try await ask { service throws(SecretServiceError) in
            try service.remove(
                Self.attributes(file: file), besides: id.map { Self.attributes(id: $0) })
        }
    }

    private static func attributes(id: String? = nil, file: String? = nil) -> [String: String] {
        var attributes = ["application": application]
        attributes["id"] = id
        attributes["file"] = file
        return attributes
    }

    /// On a thread of its own: who keeps secrets may be slow, or hang, and then only what needs them waits.
    private func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (SecretService) throws(SecretServiceError) -> Answer
    ) async throws(KeyringTrouble) -> Answer {
        guard let address = BusAddress.session(environment, files) else {
            throw .unreachable("nobody is logged in to a desktop")
        }
        let answer: Result<Answer, SecretServiceError> = await withCheckedContinuation { done in
            Thread(name: "keyring") {
                done.resume(
                    returning: Result { () throws(SecretServiceError) in
                        try question(SecretService(bus: address))
                    })
            }.detach()
        }
        do throws(SecretServiceError) {
            return try answer.get()
        } catch {
            throw KeyringTrouble(error)
        }
    }
}

extension KeyringTrouble {
    fileprivate init(_ error: SecretServiceError) {
        switch error {
        case .locked: self = .locked
        case .absent(let words), .failed(let words): self = .unreachable(Self.phrase(words))
        case .wantsPrompt: self = .unreachable("it wants to ask somebody")
        }
    }

    /// Without the end of a sentence, which it is put into.
    private static func phrase(_ words: String) -> String {
        let line = words.prefix { $0 != "\n" }
        let end = line.last == "." ? line.dropLast() : line
        return end.isEmpty ? "it does not answer" : String(end)
    }
}
