import FileProvider

extension ExtensionCalls {
    func services(for item: NSFileProviderItemIdentifier) async throws -> [OfferedService] {
        guard let servicing = provider as? any NSFileProviderServicing else { return [] }
        return try await call { once in
            servicing.supportedServiceSources(for: item) { sources, error in
                if let error { return once.answer(.failure(error)) }
                once.answer(.success((sources ?? []).map(OfferedService.init)))
            }
        }
    }
}
