import Foundation

// Bytes from whoever writes to the host.
extension ControlRequest {
    /// Reads a request, with the line's end or without it.
    /// - Parameter id: gets the request's name as soon as that is known, also of a request that is refused.
    package static func read(
        _ bytes: [UInt8], id: inout String?
    ) throws(ControlError) -> ControlRequest {
        try ControlEnvelope.read(ControlRequest.self, asking: ControlCommand.self, bytes, id: &id)
            .checked()
    }

    static func bad(_ field: String, _ what: String) -> ControlError {
        ControlError(bad: field, what)
    }

    private func checked() throws(ControlError) -> ControlRequest {
        let items = (items ?? []) + [destination].compactMap(\.self)
        guard items.count <= ControlProtocol.mostItems else {
            throw Self.bad("items", "longer than \(ControlProtocol.mostItems) items")
        }
        guard items.allSatisfy(\.isOne) else {
            throw Self.bad("items", "without exactly one of path, identifier and node in each")
        }
        if let limit, !(1...ControlProtocol.mostEntries).contains(limit) {
            throw Self.bad("limit", "not from 1 to \(ControlProtocol.mostEntries)")
        }
        if let pixels, !(1...ControlProtocol.mostPixels).contains(pixels) {
            throw Self.bad("pixels", "not from 1 to \(ControlProtocol.mostPixels)")
        }
        return self
    }

    // MARK: What a request needs

    var wantedEntries: Int { limit ?? ControlProtocol.usualLimit }

    func required<Value>(
        _ member: KeyPath<ControlRequest, Value?>, _ field: String
    ) throws(ControlError) -> Value {
        guard let value = self[keyPath: member] else { throw Self.bad(field, "missing") }
        return value
    }

    func requiredItems() throws(ControlError) -> [ControlItem] {
        let items = try required(\.items, "items")
        guard !items.isEmpty else { throw Self.bad("items", "empty") }
        return items
    }

    func onlyItem() throws(ControlError) -> ControlItem {
        let items = try requiredItems()
        guard items.count == 1 else { throw Self.bad("items", "more than one") }
        return items[0]
    }

    /// The position behind which entries are wanted; of the beginning when it says none.
    func position() throws(ControlError) -> Int64 {
        guard let after else { return 0 }
        guard let number = Int64(after) else { throw Self.bad("after", "no place in this list") }
        return number
    }
}
