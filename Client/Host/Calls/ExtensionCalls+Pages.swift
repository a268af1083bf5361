import FileProvider

extension ExtensionCalls {
    /// An enumeration that is begun more often than that will not come to its end.
    private static let mostBeginnings = 4

    /// Walks over the pages of an enumeration. Where the extension says that one has expired, that enumeration alone
    /// is begun again from its first page.
    ///
    /// - Throws: `badEnumeration` when that happens again and again. A page's error is the same as an anchor's, of
    ///   which it says nothing.
    func fromFirstPage<Result>(_ walk: () async throws -> Result) async throws -> Result {
        for _ in 0..<Self.mostBeginnings {
            do {
                return try await walk()
            } catch  where Reaction(error) == .anchorExpired {
                continue
            }
        }
        throw HostError.badEnumeration("its pages expire before they are asked for")
    }
}
