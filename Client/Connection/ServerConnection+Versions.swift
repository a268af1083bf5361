import BasketModels

// What files held before, and contents that lost a race.
extension ServerConnection {
    private struct VersionsAnswer: ListAnswer {
        var versions: [VersionInfo]
        var next: String?

        var entries: [VersionInfo] { versions }
    }

    /// The newest first.
    package func versions(
        of item: String, in domain: String
    ) async throws(ConnectionError) -> [VersionInfo] {
        try await list(VersionsAnswer.self, items(domain, item, "versions"))
    }

    package func restoreVersion(
        _ version: Version, of item: String, in domain: String, base: Version? = nil
    ) async throws(ConnectionError) -> ItemAnswer {
        try await value(
            APICall("POST", items(domain, item, "versions", version.description, "restore"))
                .json(RestoreVersionRequest(base: base)))
    }

    package func resolveConflicts(
        of item: String, in domain: String, _ request: ResolveConflictsRequest
    ) async throws(ConnectionError) -> ConflictAnswer {
        try await value(
            APICall("POST", items(domain, item, "conflicts", "resolve")).json(request))
    }
}
