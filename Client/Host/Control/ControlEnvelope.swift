import Foundation

/// What every request has, whoever it is sent to; and what of it can be read of a request that is none.
package enum ControlEnvelope {
    private struct Members: Decodable {
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
    /// - Parameters:
    ///   - commands: what can be asked.
    ///   - id: gets the request's name as soon as that is known, also of a request that is refused.
    package static func read<Request: Decodable, Command>(
        _ type: Request.Type, asking commands: Command.Type, _ bytes: [UInt8], id: inout String?
    ) throws(ControlError) -> Request
    where Command: RawRepresentable<String> & CaseIterable {
        guard bytes.count <= ControlProtocol.longestRequest else {
            throw ControlError(
                .tooLong,
                "The request is longer than \(ControlProtocol.longestRequest) bytes.",
                "Ask about fewer items at once.")
        }
        // Where nobody looks, the decoder would pass over what is no text.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw noObject }
        let data = Data(bytes)
        let members: Members
        do {
            members = try JSONDecoder().decode(Members.self, from: data)
        } catch {
            throw noObject
        }
        if let name = members.id, name.utf8.count > ControlProtocol.longestID {
            throw ControlError(bad: "id", "longer than \(ControlProtocol.longestID) bytes")
        }
        id = members.id
        guard members.v == ControlProtocol.version else {
            throw ControlError(
                .wrongVersion,
                members.v.map { "The request is of version \($0), which is not spoken here." }
                    ?? "The request does not say its version.",
                "Send \"v\": \(ControlProtocol.version); a newer program needs a newer host.")
        }
        guard let word = members.ask, Command(rawValue: word) != nil else {
            let known = Command.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .unknownRequest,
                members.ask.map { "Nobody knows what “\($0.prefix(40))” asks for." }
                    ?? "The request does not say what it asks for.",
                "Set \"ask\" to one of \(known).")
        }
        do {
            return try JSONDecoder().decode(Request.self, from: data)
        } catch let error as DecodingError {
            throw ControlError(bad: field(of: error), "of the wrong type")
        } catch {
            throw ControlError(bad: "the request", "wrong")
        }
    }

    private static var noObject: ControlError {
        ControlError(
            .notJSON, "The request is no object of JSON.",
            "Send one object, on one line, in UTF-8.")
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
}
