/// `PATCH /v1/domains/D`.
package struct ChangeDomainRequest: Codable, Sendable {
    package var name: String?
    package var trash: Bool?
    package var quota: FieldChange<Int64>

    package init() {
        quota = .keep
    }

    private enum CodingKeys: String, CodingKey {
        case name, trash, quota
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        trash = try fields.decodeIfPresent(Bool.self, forKey: .trash)
        quota = try fields.change(forKey: .quota)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(name, forKey: .name)
        try fields.encodeIfPresent(trash, forKey: .trash)
        try fields.encode(quota, forKey: .quota)
    }
}
