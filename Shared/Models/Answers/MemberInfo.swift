/// Who has a part in a domain.
package struct MemberInfo: Decodable, Sendable, Equatable {
    package var account: String
    package var displayName: String
    package var role: DomainRole
}
