/// Where a desktop keeps the secrets of programs, as freedesktop.org has it: GNOME's keyring, KDE's wallet, KeePassXC.
///
/// It shows no question to anybody. Each call blocks, so it wants a thread of its own, and none for longer than the bus has
/// patience with each of a few questions.
package struct SecretService {
    private static let name = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret."
    /// For “there is none”, where a path has to be.
    private static let nothing = "/"
    /// Nobody has more keyrings, and each is asked.
    private static let mostCollections = 100

    private let bus: BusConnection

    /// - Parameter bus: the address of a person's own one.
    package init(
        bus address: String, patience: Duration = .seconds(5)
    ) throws(SecretServiceError) {
        do throws(BusError) {
            bus = try BusConnection(to: address, patience: patience)
        } catch {
            // Whatever is wrong with the bus, nobody is there to be asked.
            guard case .refused(_, let words) = error else { throw SecretServiceError(error) }
            throw .absent(words)
        }
    }

    /// - Parameter attributes: by which it was kept, or some of them.
    /// - Returns: nil only where it is certain that there is none: whatever is locked may hold it.
    package func secret(of attributes: [String: String]) throws(SecretServiceError) -> [UInt8]? {
        let (open, locked) = try search(attributes)
        if let item = open.first { return try secret(in: item, session: openSession()) }
        guard locked.isEmpty else { throw .locked }
        try requireAllOpen()
        return nil
    }

    /// Keeps it where the desktop keeps what nobody has chosen another place for. When this returns, it was read again.
    /// - Parameters:
    ///   - label: what people see of it.
    ///   - attributes: what has the same ones already is replaced.
    package func keep(
        _ secret: [UInt8], called label: String, as attributes: [String: String]
    ) throws(SecretServiceError) {
        let collection = try defaultCollection()
        guard try !isLocked(collection) else { throw .locked }
        let session = try openSession()
        let properties: [BusValue] = [
            .pair(.text(Self.interface + "Item.Attributes"), .variant(.texts(attributes))),
            .pair(.text(Self.interface + "Item.Label"), .variant(.text(label))),
        ]
        let content = BusValue.structure([
            .path(session), .bytes([]), .bytes(secret), .text("text/plain"),
        ])
        let answer = try call(
            collection, "Collection", "CreateItem", .list(of: "{sv}", properties), content,
            .flag(true))
        try refusePrompt(answer.last)
        guard let item = answer.first?.path, item != Self.nothing else {
            throw SecretServiceError(.badAnswer)
        }
        // What is not there as it should be is not to be found later either.
        guard try search(attributes).open.contains(item),
            try self.secret(in: item, session: session) == secret
        else { throw .failed("what was kept is not there") }
    }

    /// Removes what was kept by these attributes, or by these among others.
    /// - Parameter others: what has these stays.
    package func remove(
        _ attributes: [String: String], besides others: [String: String]? = nil
    ) throws(SecretServiceError) {
        let (open, locked) = try search(attributes)
        var staying: Set<String> = []
        if let others {
            let found = try search(others)
            staying = Set(found.open + found.locked)
        }
        for item in open where !staying.contains(item) {
            try refusePrompt(call(item, "Item", "Delete").first)
        }
        guard staying.isSuperset(of: locked) else { throw .locked }
    }

    // MARK: Questions

    private func search(
        _ attributes: [String: String]
    ) throws(SecretServiceError) -> (open: [String], locked: [String]) {
        let answer = try call(Self.path, "Service", "SearchItems", .texts(attributes))
        guard answer.count == 2, let open = answer[0].parts, let locked = answer[1].parts else {
            throw SecretServiceError(.badAnswer)
        }
        return (open.compactMap(\.path), locked.compactMap(\.path))
    }

    /// Plain: the bus is this machine's, and shows nobody else what is said on it.
    private func openSession() throws(SecretServiceError) -> String {
        let answer = try call(
            Self.path, "Service", "OpenSession", .text("plain"), .variant(.text("")))
        guard let session = answer.last?.path else { throw SecretServiceError(.badAnswer) }
        return session
    }

    private func secret(
        in item: String, session: String
    ) throws(SecretServiceError) -> [UInt8] {
        let answer = try call(item, "Item", "GetSecret", .path(session))
        guard let parts = answer.first?.parts, parts.count == 4, let secret = parts[2].bytes else {
            throw SecretServiceError(.badAnswer)
        }
        return secret
    }

    private func defaultCollection() throws(SecretServiceError) -> String {
        let answer = try call(Self.path, "Service", "ReadAlias", .text("default"))
        guard let collection = answer.first?.path else { throw SecretServiceError(.badAnswer) }
        guard collection != Self.nothing else { throw .absent("there is no keyring yet") }
        return collection
    }

    /// Where there is no keyring at all, nobody has opened it yet.
    private func requireAllOpen() throws(SecretServiceError) {
        _ = try defaultCollection()
        let known = try property("Collections", of: Self.path, "Service").parts ?? []
        guard known.count <= Self.mostCollections else { throw .failed("there are too many") }
        for collection in known.compactMap(\.path) where try isLocked(collection) { throw .locked }
    }

    private func isLocked(_ collection: String) throws(SecretServiceError) -> Bool {
        guard let flag = try property("Locked", of: collection, "Collection").flag else {
            throw SecretServiceError(.badAnswer)
        }
        return flag
    }

    private func property(
        _ property: String, of path: String, _ kind: String
    ) throws(SecretServiceError) -> BusValue {
        let answer = try ask(
            path, "org.freedesktop.DBus.Properties", "Get",
            [.text(Self.interface + kind), .text(property)])
        guard let value = answer.first?.content else { throw SecretServiceError(.badAnswer) }
        return value
    }

    /// It is not shown to anybody, and nothing comes of what was asked for.
    private func refusePrompt(_ prompt: BusValue?) throws(SecretServiceError) {
        guard let prompt = prompt?.path else { throw SecretServiceError(.badAnswer) }
        guard prompt != Self.nothing else { return }
        // One that does not hear it waits for somebody to show it, who never comes.
        _ = try? call(prompt, "Prompt", "Dismiss")
        throw .wantsPrompt
    }

    private func call(
        _ path: String, _ kind: String, _ method: String, _ arguments: BusValue...
    ) throws(SecretServiceError) -> [BusValue] {
        try ask(path, Self.interface + kind, method, arguments)
    }

    private func ask(
        _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue]
    ) throws(SecretServiceError) -> [BusValue] {
        do throws(BusError) {
            let question = try BusMessage(to: Self.name, path, interface, method)
            for argument in arguments { question.with(argument) }
            return try bus.call(question).arguments
        } catch {
            throw SecretServiceError(error)
        }
    }
}
