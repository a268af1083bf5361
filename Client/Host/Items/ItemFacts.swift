import Foundation

/// What a provider says of an item besides what a file system has: for rules, and for who shows it. The replica
/// keeps it as JSON that `ItemFactsWriter` has written.
struct ItemFacts: Sendable, Decodable {
    var userInfo: [String: FactValue] = [:]
    var decorations: [String] = []
    var isShared: Bool?
    var isSharedByCurrentUser: Bool?
    var owner: PersonFacts?
    var editor: PersonFacts?
    var childItemCount: Int64?

    private enum Key: String, CodingKey {
        case userInfo, decorations, isShared, isSharedByCurrentUser, owner, editor, childItemCount
    }

    init() {}

    /// What cannot be read is as if nothing had been said: it shows less, and loses nothing.
    init(stored: [UInt8]?) {
        guard let stored, let facts = try? JSONDecoder().decode(Self.self, from: Data(stored))
        else { return }
        self = facts
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        userInfo = try container.decodeIfPresent([String: FactValue].self, forKey: .userInfo) ?? [:]
        decorations = try container.decodeIfPresent([String].self, forKey: .decorations) ?? []
        isShared = try container.decodeIfPresent(Bool.self, forKey: .isShared)
        isSharedByCurrentUser = try container.decodeIfPresent(
            Bool.self, forKey: .isSharedByCurrentUser)
        owner = try container.decodeIfPresent(PersonFacts.self, forKey: .owner)
        editor = try container.decodeIfPresent(PersonFacts.self, forKey: .editor)
        childItemCount = try container.decodeIfPresent(Int64.self, forKey: .childItemCount)
    }
}
