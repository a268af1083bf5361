import BasketBlobs
import BasketHTTP
import BasketStore
import BasketSupport

// Requests whose body became a blob before anybody knew whether it is wanted.
extension Call {
    /// The answer to an upload. It may have taken hours: who sent it must still be welcome. What is not
    /// used in the end, because the answer is a refusal or was given before, is removed at once.
    func answer(
        storing content: StagedContent, _ key: [UInt8],
        _ body: @escaping @Sendable (Transaction) throws -> StoredAnswer
    ) async throws -> HTTPResponse {
        guard let blob = content.blob else { return try await answer(key, body) }
        do {
            let response = try await answer(key) { transaction in
                try transaction.requireStillWelcome()
                return try body(transaction)
            }
            await removeUnused(blob)
            return response
        } catch {
            await removeUnused(blob)
            throw error
        }
    }

    private func removeUnused(_ blob: StagedBlob) async {
        do {
            guard try store.read({ try !$0.isNamed(blob: blob.number) }) else { return }
            // From then on no row can name it, and none ever has: nobody reads it.
            guard try await store.write({ try $0.discard(leftover: blob.number) }) else { return }
            try await service.aside { try await service.blobs.remove(blob.id) }
        } catch {
            // The collection finds it when it is old enough.
            world.log.warning("an unused upload is left", ["error": .text("\(error)")])
        }
    }
}
