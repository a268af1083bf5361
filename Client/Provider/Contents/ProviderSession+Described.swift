import BasketModels

extension ProviderSession {
    /// The item as the bytes make it: with another version than the present one, it says of its content what
    /// was true of that one.
    func described(
        _ item: BasketItem, _ version: Version, _ size: Int64
    ) async throws -> BasketItem {
        guard item.info.contentVersion != version else { return item }
        var info = item.info
        info.contentVersion = version
        info.size = size
        info.sha256 = nil
        return try await self.item(info)
    }
}
