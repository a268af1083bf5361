/// One operation of a batch: what the request of the same name does.
package enum BatchOperation: Sendable {
    case create(CreateItemRequest)
    case change(item: String, ChangeItemRequest)
    case delete(item: String, base: Version?, recursive: Bool)
    case trash(item: String, TrashRequest)
    case restore(item: String, RestoreRequest)
}

extension BatchOperation: Codable {
    private enum CodingKeys: String, CodingKey {
        case op, item, base, recursive
    }

    private enum Word: String, Codable, CaseIterable {
        case create, change, delete, trash, restore
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let text = try fields.decode(String.self, forKey: .op)
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: .op, in: fields,
                debugDescription: "“\(text.prefix(40))” is none of \(known)")
        }
        switch word {
        case .create: self = .create(try CreateItemRequest(from: decoder))
        case .change:
            self = .change(
                item: try fields.decode(String.self, forKey: .item),
                try ChangeItemRequest(from: decoder))
        case .delete:
            self = .delete(
                item: try fields.decode(String.self, forKey: .item),
                base: try fields.decodeIfPresent(Version.self, forKey: .base),
                recursive: try fields.decodeIfPresent(Bool.self, forKey: .recursive) ?? false)
        case .trash:
            self = .trash(
                item: try fields.decode(String.self, forKey: .item),
                try TrashRequest(from: decoder))
        case .restore:
            self = .restore(
                item: try fields.decode(String.self, forKey: .item),
                try RestoreRequest(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .create(let request):
            try fields.encode(Word.create, forKey: .op)
            try request.encode(to: encoder)
        case .change(let item, let request):
            try fields.encode(Word.change, forKey: .op)
            try fields.encode(item, forKey: .item)
            try request.encode(to: encoder)
        case .delete(let item, let base, let recursive):
            try fields.encode(Word.delete, forKey: .op)
            try fields.encode(item, forKey: .item)
            try fields.encodeIfPresent(base, forKey: .base)
            try fields.encode(recursive, forKey: .recursive)
        case .trash(let item, let request):
            try fields.encode(Word.trash, forKey: .op)
            try fields.encode(item, forKey: .item)
            try request.encode(to: encoder)
        case .restore(let item, let request):
            try fields.encode(Word.restore, forKey: .op)
            try fields.encode(item, forKey: .item)
            try request.encode(to: encoder)
        }
    }
}
