import BasketModels

// Domains, by name or identifier, and who has a part in them.
extension ServerConnection {
    private struct DomainsAnswer: ListAnswer {
        var domains: [DomainInfo]
        var next: String?

        var entries: [DomainInfo] { domains }
    }

    private struct MembersAnswer: ListAnswer {
        var members: [MemberInfo]
        var next: String?

        var entries: [MemberInfo] { members }
    }

    package func domains() async throws(ConnectionError) -> [DomainInfo] {
        try await list(DomainsAnswer.self, ["v1", "domains"])
    }

    package func createDomain(
        _ request: CreateDomainRequest
    ) async throws(ConnectionError) -> DomainInfo {
        try await value(APICall("POST", ["v1", "domains"]).json(request))
    }

    package func domain(_ domain: String) async throws(ConnectionError) -> DomainInfo {
        try await value(APICall("GET", ["v1", "domains", domain]))
    }

    package func changeDomain(
        _ domain: String, _ request: ChangeDomainRequest
    ) async throws(ConnectionError) -> DomainInfo {
        try await value(APICall("PATCH", ["v1", "domains", domain]).json(request))
    }

    /// With everything in it, at once and for good.
    package func deleteDomain(_ domain: String) async throws(ConnectionError) {
        try await done(APICall("DELETE", ["v1", "domains", domain]))
    }

    package func members(of domain: String) async throws(ConnectionError) -> [MemberInfo] {
        try await list(MembersAnswer.self, ["v1", "domains", domain, "members"])
    }

    package func setMember(
        _ account: String, of domain: String, role: DomainRole
    ) async throws(ConnectionError) -> MemberInfo {
        try await value(
            APICall("PUT", ["v1", "domains", domain, "members", account])
                .json(MemberRequest(role: role)))
    }

    package func removeMember(
        _ account: String, of domain: String
    ) async throws(ConnectionError) {
        try await done(APICall("DELETE", ["v1", "domains", domain, "members", account]))
    }
}
