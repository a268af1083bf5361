import FileProvider

extension BasketExtension: NSFileProviderSearching {
    package func searchEnumerator(
        for request: NSFileProviderStringSearchRequest
    ) -> any NSFileProviderSearchEnumerator {
        do {
            return SearchEnumerator(request.query, session: try requireParts().session)
        } catch {
            return FailedSearch(SystemError.of(error))
        }
    }
}
