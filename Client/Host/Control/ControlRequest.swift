import Foundation

/// A request to a domain's host: one line of JSON. Which members it needs depends on what is asked; members that are
/// unknown are passed over.
package struct ControlRequest: Codable, Sendable, Equatable {
    /// The protocol's version that the sender speaks.
    package var version: Int
    /// The sender's name for it, which is on every line of the answer.
    package var id: String?
    package var ask: ControlCommand
    package var items: [ControlItem]?
    /// Of an action, a service, a suppression, or what something is going to be called.
    package var name: String?
    /// What a person is about to do, as activation rules call it: `Trash`.
    package var action: String?
    package var destination: ControlItem?
    /// What is searched for.
    package var words: String?
    /// What people read about a pause.
    package var reason: String?
    /// How many entries are wanted, and behind which one.
    package var limit: Int?
    package var after: String?
    /// The numbers of operations, as they were listed last.
    package var operations: [Int]?
    /// Whether a suppression holds from now on; it does when this is left out.
    package var isOn: Bool?
    /// How wide and high a picture may be.
    package var pixels: Int?
    /// Whether a download is answered only when the bytes are here.
    package var waits: Bool?
    /// Whether a check looks at the databases alone, and at no item.
    package var isQuick: Bool?

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case isOn = "on"
        case isQuick = "quick"
        case id, ask, items, name, action, destination, words, reason, limit, after, operations
        case pixels, waits
    }

    package init(_ ask: ControlCommand, id: String? = nil, items: [ControlItem]? = nil) {
        version = ControlProtocol.version
        self.ask = ask
        self.id = id
        self.items = items
    }

    /// As it is sent, with the line's end.
    package var line: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }
}
