import BasketBus
import BasketSupport
import Glibc
import Synchronization

/// What keeps secrets on a desktop, as far as programs on its bus can tell: with one keyring, in memory.
package final class FakeSecretService: @unchecked Sendable {
    // Unchecked: the connection is its thread's alone once that has begun.
    private var connection: BusConnection?

    package struct Item: Sendable, Equatable {
        package var attributes: [String: String] = [:]
        package var label = ""
        package var secret: [UInt8] = []

        fileprivate init() {}
    }

    /// How it behaves.
    package struct Manners: Sendable {
        /// Its keyring is locked, and unlocked only by whoever changes this.
        package var isLocked = false
        /// Whether it finds what is in a locked keyring, as GNOME's does and others do not.
        package var findsLocked = true
        /// There is a keyring at all.
        package var hasKeyring = true
        /// It would ask its owner before it keeps or removes something.
        package var wantsPrompt = false
        /// It says that it has kept something, and has not.
        package var isForgetful = false
        /// What it is asked is its last question: it ends without an answer.
        package var diesOf: String?
        /// It answers nobody.
        package var isMute = false
    }

    private struct State {
        var manners = Manners()
        var items: [String: Item] = [:]
        var made = 0
        var dismissed = 0
        var questions = 0
    }

    private let state = Mutex(State())
    private let ends: (reading: Int32, writing: Int32)
    private let thread = Mutex<BasketSupport.Thread?>(nil)

    private static let root = "/org/freedesktop/secrets"
    private static let keyring = root + "/collection/login"
    private static let prompt = root + "/prompt/1"
    private static let interface = "org.freedesktop.Secret."
    private static let properties = "org.freedesktop.DBus.Properties"

    package init(on bus: PrivateBus) throws {
        var pipes: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw BusError.noMemory }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        ends = (pipes[0], pipes[1])
        let connection = try BusConnection(to: bus.address)
        try connection.own("org.freedesktop.secrets")
        self.connection = connection
        let started = BasketSupport.Thread(name: "secrets") { [unowned self] in serve() }
        thread.withLock { $0 = started }
    }

    /// Gives up its name, as it does when it ends.
    package func stop() {
        _ = write(ends.writing, [1], 1)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        thread.join()
        for end in [ends.reading, ends.writing] { close(end) }
    }

    package var manners: Manners {
        get { state.withLock { $0.manners } }
        set { state.withLock { $0.manners = newValue } }
    }

    package var items: [Item] {
        state.withLock { state in state.items.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Its owner removes everything.
    package func clear() { state.withLock { $0.items = [:] } }

    /// How many questions to its owner were taken back.
    package var dismissed: Int { state.withLock { $0.dismissed } }

    /// How often anybody has asked for anything.
    package var questions: Int { state.withLock { $0.questions } }

    // MARK: Answers

    private func serve() {
        defer { connection = nil }
        guard let connection else { return }
        repeat {
            while let message = connection.next() {
                state.withLock { $0.questions += 1 }
                let manners = manners
                if let last = manners.diesOf, isAbout(message, last) { return }
                guard !manners.isMute, let answer = try? answer(message) else { continue }
                connection.send(answer)
            }
        } while connection.wait(orUntil: ends.reading)
    }

    private func isAbout(_ message: BusMessage, _ method: String) -> Bool {
        ["Service", "Collection", "Item"].contains {
            message.isCall(Self.interface + $0, method)
        }
    }

    /// - Returns: nil for what nobody has asked.
    private func answer(_ message: BusMessage) throws(BusError) -> BusMessage? {
        let arguments = message.arguments
        func asks(_ kind: String, _ method: String) -> Bool {
            message.isCall(Self.interface + kind, method)
        }
        if asks("Service", "OpenSession") {
            guard arguments == [.text("plain"), .variant(.text(""))] else {
                return try message.refusal("org.freedesktop.DBus.Error.NotSupported", "plain")
            }
            return try message.answer().with(.variant(.text("")), .path(Self.root + "/session/1"))
        }
        if asks("Service", "ReadAlias") {
            return try message.answer().with(.path(manners.hasKeyring ? Self.keyring : "/"))
        }
        if asks("Service", "SearchItems") {
            let (open, locked) = search(Self.texts(arguments.first))
            return try message.answer().with(.list(of: "o", open), .list(of: "o", locked))
        }
        if message.isCall(Self.properties, "Get") {
            let manners = manners
            let value: BusValue =
                arguments.last == .text("Locked")
                ? .flag(manners.isLocked)
                : .list(of: "o", manners.hasKeyring ? [.path(Self.keyring)] : [])
            return try message.answer().with(.variant(value))
        }
        if asks("Collection", "CreateItem") { return try create(message, arguments) }
        if asks("Item", "GetSecret") { return try secret(message, arguments) }
        if asks("Item", "Delete") { return try delete(message) }
        if asks("Prompt", "Dismiss") {
            state.withLock { $0.dismissed += 1 }
            return try message.answer()
        }
        return nil
    }

    private func search(_ attributes: [String: String]) -> (open: [BusValue], locked: [BusValue]) {
        state.withLock { state in
            let found = state.items.filter { item in
                attributes.allSatisfy { item.value.attributes[$0.key] == $0.value }
            }.keys.sorted().map { BusValue.path($0) }
            if state.manners.isLocked { return ([], state.manners.findsLocked ? found : []) }
            return (found, [])
        }
    }

    private func create(
        _ message: BusMessage, _ arguments: [BusValue]
    ) throws(BusError) -> BusMessage {
        var item = Item()
        for case .pair(.text(let name), .variant(let value)) in arguments.first?.parts ?? [] {
            if name == Self.interface + "Item.Label" { item.label = value.text ?? "" }
            if name == Self.interface + "Item.Attributes" { item.attributes = Self.texts(value) }
        }
        item.secret = arguments[1].parts?[2].bytes ?? []
        let made: String? = state.withLock { state in
            if state.manners.wantsPrompt || state.manners.isLocked { return nil }
            let same = state.items.first { $0.value.attributes == item.attributes }?.key
            state.made += 1
            let path =
                (arguments.last == .flag(true) ? same : nil) ?? Self.keyring + "/\(state.made)"
            if !state.manners.isForgetful { state.items[path] = item }
            return path
        }
        return try message.answer().with(
            .path(made ?? "/"), .path(made == nil ? Self.prompt : "/"))
    }

    private func secret(
        _ message: BusMessage, _ arguments: [BusValue]
    ) throws(BusError) -> BusMessage {
        let (item, isLocked) = state.withLock { ($0.items[message.path], $0.manners.isLocked) }
        guard let item else {
            return try message.refusal("org.freedesktop.Secret.Error.NoSuchObject", "gone")
        }
        guard !isLocked else {
            return try message.refusal("org.freedesktop.Secret.Error.IsLocked", "locked")
        }
        return try message.answer().with(
            .structure([arguments[0], .bytes([]), .bytes(item.secret), .text("text/plain")]))
    }

    private func delete(_ message: BusMessage) throws(BusError) -> BusMessage {
        let isAsked = state.withLock { state in
            if state.manners.wantsPrompt || state.manners.isLocked { return true }
            state.items[message.path] = nil
            return false
        }
        return try message.answer().with(.path(isAsked ? Self.prompt : "/"))
    }

    private static func texts(_ value: BusValue?) -> [String: String] {
        var texts: [String: String] = [:]
        for case .pair(.text(let name), .text(let text)) in value?.parts ?? [] {
            texts[name] = text
        }
        return texts
    }
}
