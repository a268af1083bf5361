/// `PUT /v1/domains/D/members/NAME`.
package struct MemberRequest: Codable, Sendable {
    package var role: DomainRole

    package init(role: DomainRole) {
        self.role = role
    }
}
