import Foundation

// Bytes from whoever writes to the host.
extension ControlRequest {
    /// What can be read of a request that is none: whose answer the refusal is.
    private struct Envelope: Decodable {
        var v: Int?
        var id: String?
        var ask: String?

        private enum CodingKeys: CodingKey {
            case v, id, ask
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            // Of the wrong type is as good as none: what is missing is said then.
            v = try? members.decode(Int.self, forKey: .v)
            id = try? members.decode(String.self, forKey: .id)
            ask = try? members.decode(String.self, forKey: .ask)
        }
    }

    /// Reads a request, with the line's end or without it.
    /// - Parameter id: gets the request's name as soon as that is known, also of a request that is refused.
    package static func read(
        _ bytes: [UInt8], id: inout String?
    ) throws(ControlError) -> ControlRequest {
        guard bytes.count <= ControlProtocol.longestRequest else {
            throw ControlError(
                .tooLong,
                "The request is longer than \(ControlProtocol.longestRequest) bytes.",
                "Ask about fewer items at once.")
        }
        // Where nobody looks, the decoder would pass over what is no text.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Self.noObject }
        let data = Data(bytes)
        let envelope: Envelope
        do {
            envelope = try JSONDecoder().decode(Envelope.self, from: data)
        } catch {
            throw Self.noObject
        }
        if let name = envelope.id, name.utf8.count > ControlProtocol.longestID {
            throw Self.bad("id", "longer than \(ControlProtocol.longestID) bytes")
        }
        id = envelope.id
        guard envelope.v == ControlProtocol.version else {
            throw ControlError(
                .wrongVersion,
                envelope.v.map { "The request is of version \($0), which is not spoken here." }
                    ?? "The request does not say its version.",
                "Send \"v\": \(ControlProtocol.version); a newer program needs a newer host.")
        }
        guard let word = envelope.ask, ControlCommand(rawValue: word) != nil else {
            let known = ControlCommand.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .unknownRequest,
                envelope.ask.map { "Nobody knows what “\($0.prefix(40))” asks for." }
                    ?? "The request does not say what it asks for.",
                "Set \"ask\" to one of \(known).")
        }
        do {
            return try JSONDecoder().decode(ControlRequest.self, from: data).checked()
        } catch let error as ControlError {
            throw error
        } catch let error as DecodingError {
            throw Self.bad(Self.field(of: error), "of the wrong type")
        } catch {
            throw Self.bad("the request", "wrong")
        }
    }

    private static var noObject: ControlError {
        ControlError(
            .notJSON, "The request is no object of JSON.",
            "Send one object, on one line, in UTF-8.")
    }

    static func bad(_ field: String, _ what: String) -> ControlError {
        ControlError(.badField, "“\(field)” is \(what).", "docs/control.md has what it may be.")
    }

    private static func field(of error: DecodingError) -> String {
        let path =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: [] as [any CodingKey]
            }
        return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
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
